import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where something of `resources/` is: in the nearest folder of that name at or above this module, which a bundle puts elsewhere than the source. */
export const resourcePath = (name: string): string => {
  const start = dirname(fileURLToPath(import.meta.url))
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'resources', name)
    if (existsSync(path)) return path
  }
  throw new Error(`resources/${name} is missing: it comes with Gatehouse and must lie beside the program`)
}
