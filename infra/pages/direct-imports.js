import { existsSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

const readExports = (entry, known) => {
  if (known.has(entry)) return known.get(entry)
  const files = new Map()
  known.set(entry, files)
  const text = readFileSync(entry, 'utf8')
  for (const [, name] of text.matchAll(/^export (?:class|const|function|async function) (\w+)/gm)) files.set(name, entry)
  for (const [, names, from] of text.matchAll(/^export \{([^}]*)\} from '([^']+)'/gm))
    for (const name of names.split(',')) files.set(name.trim(), resolve(dirname(entry), from))
  for (const [, from] of text.matchAll(/^export \* from '([^']+)'/gm))
    for (const [name, file] of readExports(resolve(dirname(entry), from), known)) files.set(name, file)
  return files
}

/**
 * A plugin for esbuild. An import of a page from an entry of the client library, such as `sdk/world.ts`, becomes an import of the
 * file that defines the name. A bundle with code splitting contains every file that an entry names, used or not.
 */
export const directImports = (root) => ({
  name: 'direct-imports',
  setup: (build) => {
    const known = new Map()
    build.onStart(() => known.clear())
    build.onLoad({ filter: /\/(console|play)\/.*\.tsx?$/ }, ({ path }) => {
      if (!/^(console|play)\//.test(relative(root, path))) return undefined
      const text = readFileSync(path, 'utf8')
      const contents = text.replaceAll(/^import \{([^}]*)\} from '([./]+\/sdk\/\w+\.ts)'/gm, (all, names, from) => {
        const entry = resolve(dirname(path), from)
        if (!existsSync(entry)) return all
        const values = names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
        const imports = values.map((name) => {
          const file = readExports(entry, known).get(name.split(' as ')[0])
          return `import { ${name} } from ${JSON.stringify(file ?? entry)}`
        })
        // As many lines as before, for the source map.
        return imports.join('; ') + '\n'.repeat(all.split('\n').length - 1)
      })
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
})
