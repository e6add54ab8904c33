import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const projectRoot = resolve(import.meta.dirname, '../../..')

/**
 * One import or re-export: `target` is a path from the root or a package; `isType` is true if nothing of it remains at run time.
 */
export type Import = { readonly source: string; readonly target: string; readonly isType: boolean }

const statement =
  /(?:^|\n)\s*(?:import|export)\b(\s+type\b)?([^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?)from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g

const bringsTypesOnly = (clause: string): boolean => {
  const names = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1]
  return names?.split(',').every((name) => /^\s*(type\s|$)/.test(name)) ?? false
}

export const readSource = (source: string): string => readFileSync(join(projectRoot, source), 'utf8')

/** TypeScript files below a folder of the project, as paths from the root with slashes. */
export const listSources = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

/** Every module that `source` names in an import. */
export const readImports = (source: string): Import[] =>
  [...readSource(source).matchAll(statement)].map((match) => {
    const specifier = match[3] ?? match[4] ?? match[5] ?? ''
    const target = specifier.startsWith('.')
      ? relative(projectRoot, resolve(projectRoot, dirname(source), specifier)).replaceAll('\\', '/')
      : specifier
    return { source, target, isType: match[1] !== undefined || bringsTypesOnly(match[2] ?? '') }
  })

/** Every name that `source` imports or exports again, as `path name`; `path *` for a whole module. */
export const readImportedNames = (source: string): string[] =>
  [...readSource(source).matchAll(statement)].flatMap((match) => {
    const specifier = match[3] ?? match[4] ?? match[5] ?? ''
    const target = relative(projectRoot, resolve(projectRoot, dirname(source), specifier)).replaceAll('\\', '/')
    const names = /\{([^}]*)\}/.exec(match[2] ?? '')?.[1]
    if (names === undefined) return [`${target} *`]
    return names.split(',').map(
      (name) =>
        `${target} ${
          name
            .trim()
            .replace(/^type\s+/, '')
            .split(/\s/)[0]
        }`,
    )
  })

/** Returns cycles of names along `edges`, each sorted; by Tarjan's algorithm. */
export const findCircles = (edges: Iterable<readonly [string, string]>): string[][] => {
  const next = new Map<string, string[]>()
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to])
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (name: string): void => {
    index.set(name, index.size)
    lowest.set(name, index.get(name) ?? 0)
    stack.push(name)
    for (const other of next.get(name) ?? []) {
      if (!index.has(other)) visit(other)
      if (stack.includes(other)) lowest.set(name, Math.min(lowest.get(name) ?? 0, lowest.get(other) ?? 0))
    }
    if (lowest.get(name) !== index.get(name)) return
    const circle = stack.splice(stack.indexOf(name))
    if (circle.length > 1) circles.push(circle.sort())
  }
  for (const name of next.keys()) if (!index.has(name)) visit(name)
  return circles
}
