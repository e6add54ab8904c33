import { readdir, rm } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'

/** What an installed package holds and nobody reads while it runs: sources of native code, types, maps, what tells people about it. */
const unread =
  /\.(bare|c|cc|cpp|h|hpp|gyp|md|map|markdown|flow|d\.ts|d\.cts|d\.mts|ts|tsbuildinfo)$|^(CMakeLists\.txt|rollup\.config\.js|test(-worker)?\.js)$/

/** Folders of the same kind, and whatever its makers' tools left in it. */
const unreadFolder = /(?:^|\/)(?:\.[^/]+|tests?|dependencies)\//

/** Whether a file of prebuilt code is one that glibc on `cpu` cannot load, or one that Node 22 passes over. */
const isForOthers = (path: string, cpu: string): boolean => {
  const prebuilt = /(?:^|\/)prebuilds\/([^/]+)\//.exec(path)?.[1]
  if (prebuilt !== undefined) return prebuilt !== `linux-${cpu}`
  // lmdb's: by Node's ABI, then by its C library. Node 22 has 127; what is made for all of them stays, for another Node.
  return /\.musl\.node$/.test(path) || (/\.abi\d+\.glibc\.node$/.test(path) && !path.endsWith('.abi127.glibc.node'))
}

/** Takes out of the packages in `folder` what Node 22 on Linux, glibc and `cpu` (`x64`, `arm64`) never reads. Licences stay. */
export const trimPackages = async (folder: string, cpu: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const within = relative(folder, path).split(sep).join('/')
    if (unread.test(basename(path)) || unreadFolder.test(within) || isForOthers(within, cpu)) await rm(path)
  }
}
