import { join } from 'node:path'
import { buildPages } from '../pages/build-pages.js'
import { keepPages } from './keep-pages.js'
import { pagesName, rememberMade } from './made-bundles.js'

/** Build scripts of the pages, besides their sources. */
const builders = ['build-pages.js', 'page-list.js', 'pack-client.js', 'declare-entries.js', 'direct-imports.js'].map((name) =>
  join('infra', 'pages', name),
)

/** Writes the pages for browsers next to the bundles, where the program looks for them, and records their inputs. */
export const makePages = async (root, folders) => {
  const startedMs = Date.now()
  const { files, inputs } = await buildPages(root)
  const { bundles, path } = await keepPages(folders, files)
  await rememberMade({ root, bundles, entry: pagesName, path, inputs: [...inputs, ...builders], startedMs })
}
