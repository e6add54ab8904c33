import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleHalf } from './bundle-half.ts'
import { bundleModules } from './bundle-modules.ts'
import type { Half } from './halves.ts'
import { nativePackages } from './native-packages.ts'
import { pickFromLock } from './pick-from-lock.ts'
import { trimPackages } from './trim-packages.ts'

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
