import { bundleEntries } from './bundle.js'
import { keepSomewhere } from './keep-bundles.js'
import { rememberMade } from './made-bundles.js'

/**
 * Builds the bundles of these entry points and records their inputs. Returns the path of each, and whether other processes can
 * find it.
 */
export const makeBundles = async (root, folders, entries) => {
  const startedMs = Date.now()
  const made = []
  for (const { entry, files, inputs } of await bundleEntries(root, entries)) {
    const { bundles, path } = await keepSomewhere(root, folders, files)
    if (bundles !== undefined) await rememberMade({ root, bundles, entry, path, inputs, startedMs })
    made.push({ path, isForOthers: bundles !== undefined })
  }
  return made
}
