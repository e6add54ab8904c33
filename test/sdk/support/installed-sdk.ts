import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../../..')

/** An empty project with the packed library installed by npm, without a network. */
export const installSdk = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sdk-project-'))
  const pack = ['tools/package/sdk.js', '--out', join(folder, 'packed')]
  const tarball = resolve(root, execFileSync(process.execPath, pack, { cwd: root, encoding: 'utf8' }).trim())
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'game', private: true, type: 'module' }))
  const flags = ['--offline', '--no-audit', '--no-fund', '--loglevel=error', '--cache', join(folder, 'cache')]
  execFileSync('npm', ['install', tarball, ...flags], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const modules = join(folder, 'node_modules')
  return {
    folder,
    modules,
    /** The optional peer, as if the project had installed it. */
    addWs: () => symlinkSync(join(root, 'node_modules/ws'), join(modules, 'ws'), 'dir'),
    addExamples: () => cpSync(join(root, 'sdk/examples'), folder, { recursive: true }),
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    /** Runs a program of the project to its end. */
    run: async (args: readonly string[]) => {
      const child = spawn(process.execPath, [...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
      let [output, complaints] = ['', '']
      child.stdout.on('data', (text) => {
        output += text
      })
      child.stderr.on('data', (text) => {
        complaints += text
      })
      const [code] = await once(child, 'close')
      return { code, output, complaints }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export type InstalledSdk = Awaited<ReturnType<typeof installSdk>>
