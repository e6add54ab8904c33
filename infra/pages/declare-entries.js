import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'

/** Not the examples in comments, whose lines begin otherwise. */
const importedFiles = /^((?:import|export|\}) .*from\s+['"])(\.{1,2}\/[^'"]+)\.ts(['"])/gm

/** Adds the declaration of a source and those of all that it imports to `found`, from the output of `tsc`. */
const readDeclarations = async (folder, path, found) => {
  if (found.has(path)) return
  const text = await readFile(join(folder, `${path}.d.ts`), 'utf8')
  found.set(path, text.replace(importedFiles, '$1$2.js$3'))
  for (const [, , imported = ''] of text.matchAll(importedFiles))
    await readDeclarations(folder, posix.join(posix.dirname(path), imported), found)
}

/**
 * The declarations of `sources` and of all that they import, by path without `.d.ts`. Sources have no suffix. `config` is the
 * tsconfig.json that `options` extend.
 */
export const declareEntries = async (root, config, sources, options = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-types-'))
  try {
    const project = join(folder, 'tsconfig.json')
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: root,
      outDir: join(folder, 'types'),
      typeRoots: [join(root, 'node_modules/@types')],
      ...options,
    }
    const files = sources.map((source) => join(root, `${source}.ts`))
    await writeFile(project, JSON.stringify({ extends: join(root, config), compilerOptions, files, include: [] }))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    await promisify(execFile)(process.execPath, [compiler, '-p', project], { cwd: root }).catch(({ stdout, message }) => {
      throw new Error(`The types of ${sources.join(', ')} cannot be built: ${stdout || message}`)
    })
    const found = new Map()
    for (const source of sources) await readDeclarations(join(folder, 'types'), source, found)
    return found
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
