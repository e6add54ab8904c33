import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The path of a file in the nearest folder `resources` at or above this module. Bundles have another location than sources. */
export const resourcePath = (name: string): string => {
  const start = dirname(fileURLToPath(import.meta.url))
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'resources', name)
    if (existsSync(path)) return path
  }
  throw new Error(`resources/${name} is missing: it comes with Gatehouse and must be next to the program`)
}
