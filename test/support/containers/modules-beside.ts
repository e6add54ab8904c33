import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './dockerfile.ts'

/** The names of all modules that a program starts by `moduleBeside`. */
export const listModulesBeside = (): readonly string[] => {
  const names = ['shared', 'realtime'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [...readFileSync(join(projectRoot, folder, path), 'utf8').matchAll(/moduleBeside\('([\w-]+)'/g)])
      .map(([, name = '']) => name),
  )
  return [...new Set(names)].sort()
}
