import { join } from 'node:path'
import { writePages } from '../pages/write-pages.js'
import { pagesName } from './made-bundles.js'

/** Writes built pages into the first writable one of `folders`; throws if there is none. */
export const keepPages = async (folders, files) => {
  const faults = []
  for (const bundles of folders)
    try {
      const path = join(bundles, pagesName)
      await writePages(path, files)
      return { bundles, path }
    } catch (error) {
      faults.push(`${bundles}: ${error.code ?? error}`)
    }
  throw new Error(`none of these folders can be written:\n${faults.join('\n')}`)
}
