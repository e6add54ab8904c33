import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const packageOf = (path) => /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]

/** The description of a package, and the text of its licence if it has one. */
const describePackage = async (root, folder) => {
  const { name, version, license, homepage = '' } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
  const file = (await readdir(join(root, folder))).find((one) => /^licen[cs]e(\.\w+)?$/i.test(one))
  const head = [`${name} ${version}`, license, homepage].filter((part) => part !== '').join('\n')
  return file === undefined ? head : `${head}\n\n${(await readFile(join(root, folder, file), 'utf8')).trim()}`
}

const pagesLead = 'The pages of Gatehouse (Apache-2.0) contain parts of the following packages.'

/** A file with the licences of all packages in a bundle, as they require; `inputs` are the sources. */
export const listLicences = async (root, inputs, lead = pagesLead) => {
  const folders = [...new Set(inputs.map(packageOf))].filter((folder) => folder !== undefined).sort()
  const texts = await Promise.all(folders.map((folder) => describePackage(root, folder)))
  const contents = Buffer.from(`${[lead, ...texts].join(`\n\n${'-'.repeat(72)}\n\n`)}\n`)
  return { name: `licences-${createHash('sha256').update(contents).digest('hex').slice(0, 8)}.txt`, contents }
}
