import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { bundleHalf, bundleModules, type Half } from './bundle-half.ts'
import { nativePackages } from './native-packages.ts'
import { pickFromLock } from './pick-from-lock.ts'

const install = async (folder: string, cpu: string): Promise<void> => {
  const target = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc']
  const quietly = ['--ignore-scripts', '--no-bin-links', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const [code] = await once(spawn('npm', ['ci', ...target, ...quietly], { cwd: folder, stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`npm ci of the native packages ended with ${code}`)
}

const buildPages = async (root: string, folder: string): Promise<void> => {
  const [code] = await once(spawn(process.execPath, ['infra/pages.js', '--out', folder], { cwd: root, stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`infra/pages.js ended with ${code}`)
}

const writeJson = (path: string, value: unknown): Promise<void> => writeFile(path, `${JSON.stringify(value, undefined, 2)}\n`)

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
const trimPackages = async (folder: string, cpu: string): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const within = relative(folder, path).split(sep).join('/')
    if (unread.test(basename(path)) || unreadFolder.test(within) || isForOthers(within, cpu)) await rm(path)
  }
}

/**
 * Writes the content of the image of `half`, besides Node, into `folder`: its program `app`, bundled from the project at
 * `root`, with native packages for Linux on `cpu` (`x64`, `arm64`), and an empty `data`.
 */
export const buildImageFolder = async (root: string, half: Half, folder: string, cpu: string): Promise<void> => {
  const app = join(folder, 'app')
  await bundleHalf(root, half, app)
  if (half.runsModules)
    await bundleModules({ folders: [join(root, 'data/modules')], projectFolder: root, out: join(app, 'modules') })
  if (half.servesPages) await buildPages(root, join(app, 'pages'))
  const { manifest, lock } = pickFromLock(await readFile(join(root, 'package-lock.json'), 'utf8'), nativePackages)
  await writeJson(join(app, 'package.json'), manifest)
  await writeJson(join(app, 'package-lock.json'), lock)
  await install(app, cpu)
  await trimPackages(join(app, 'node_modules'), cpu)
  await mkdir(join(folder, 'data'))
}
