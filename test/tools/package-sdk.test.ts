import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')

/** The packages that a script and its own files import, or start from `node_modules`, with the file of each. */
const listImports = async (script: string): Promise<ReadonlyMap<string, string>> => {
  const { metafile } = await build({
    entryPoints: [join(root, script)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    metafile: true,
    logLevel: 'silent',
  })
  const found = new Map<string, string>()
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/'node_modules\/([\w-]+|@[\w-]+\/[\w-]+)\//g)) found.set(name, file)
    for (const { path, external } of imports) {
      if (external !== true || path.startsWith('node:') || builtinModules.includes(path)) continue
      const parts = path.split('/')
      found.set(parts.slice(0, path.startsWith('@') ? 2 : 1).join('/'), file)
    }
  }
  return found
}

it('npm run package:sdk and the programs it starts need production dependencies only', async () => {
  const { scripts, dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const script = /^node (\S+\.js)$/.exec(scripts['package:sdk'])?.[1] ?? ''
  expect(existsSync(join(root, script))).toBe(true)
  const imports = await listImports(script)
  expect([...imports.keys()]).toEqual(expect.arrayContaining(['esbuild', 'typescript']))
  expect([...imports].filter(([name]) => !(name in dependencies))).toEqual([])
})
