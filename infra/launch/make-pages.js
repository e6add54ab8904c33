import { join } from 'node:path'
import { buildPages } from '../pages/build-pages.js'
import { keepPages } from './keep-pages.js'
import { pagesName, rememberMade } from './made-bundles.js'

/** What the pages are built by, besides their sources. */
const builders = ['build-pages.js', 'page-list.js'].map((name) => join('infra', 'pages', name))

/** Puts the pages for browsers beside the bundles, where the program looks for them, and remembers of what they were made. */
export const makePages = async (root, folders) => {
  const startedMs = Date.now()
  const { files, inputs } = await buildPages(root)
  const { bundles, path } = await keepPages(folders, files)
  await rememberMade({ root, bundles, entry: pagesName, path, inputs: [...inputs, ...builders], startedMs })
}
