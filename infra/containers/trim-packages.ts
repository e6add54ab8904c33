import { readdir, rm } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'

/** Files of an installed package that are not needed at run time: sources of native code, types, maps, documentation. */
const unread =
  /\.(bare|c|cc|cpp|h|hpp|gyp|md|map|markdown|flow|d\.ts|d\.cts|d\.mts|ts|tsbuildinfo)$|^(CMakeLists\.txt|rollup\.config\.js|test(-worker)?\.js)$/

/** Folders of the same kind, and leftovers of development tools. */
const unreadFolder = /(?:^|\/)(?:\.[^/]+|tests?|dependencies)\//

/** Whether prebuilt code is for another platform than glibc on `cpu`, or Node 22 never loads it. */
const isForOthers = (path: string, cpu: string): boolean => {
  const prebuilt = /(?:^|\/)prebuilds\/([^/]+)\//.exec(path)?.[1]
  if (prebuilt !== undefined) return prebuilt !== `linux-${cpu}`
  // lmdb names files by Node's ABI, then by the C library. Node 22 has ABI 127. Files for all ABIs stay, for other versions of
  // Node.
  return /\.musl\.node$/.test(path) || (/\.abi\d+\.glibc\.node$/.test(path) && !path.endsWith('.abi127.glibc.node'))
}

/**
 * Deletes files from the packages in `folder` that Node 22 on Linux, glibc and `cpu` (`x64`, `arm64`) never reads. Licences
 * stay.
 */
export const trimPackages = async (folder: string, cpu: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const within = relative(folder, path).split(sep).join('/')
    if (unread.test(basename(path)) || unreadFolder.test(within) || isForOthers(within, cpu)) await rm(path)
  }
}
