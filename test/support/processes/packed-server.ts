import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { packServer } from '../../../tools/package/pack-server.ts'

const root = resolve(import.meta.dirname, '../../..')

const link = (modules: string, name: string): void => {
  mkdirSync(dirname(join(modules, name)), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), join(modules, name), 'dir')
}

/** The packed server, and projects that have it. Packages come from the checkout, so that no network is needed. */
export const packServerForProjects = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-packed-'))
  const tarball = await packServer(join(folder, 'packed'), { isHasty: true })
  return {
    folder,
    tarball,
    /** Installs the server and all that it declares, as npm would, into the project at `project`. */
    install: (project: string): void => {
      const modules = join(project, 'node_modules')
      mkdirSync(modules, { recursive: true })
      execFileSync('tar', ['xzf', tarball, '-C', modules])
      execFileSync('mv', [join(modules, 'package'), join(modules, 'gatehouse')])
      const { dependencies } = JSON.parse(readFileSync(join(modules, 'gatehouse/package.json'), 'utf8'))
      for (const name of [...Object.keys(dependencies), '@types/node', 'typescript']) link(modules, name)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Runs a program with the Node of this process to its end. */
export const runToEnd = async (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) => {
  const child = spawn(process.execPath, [...args], { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
    })
  const [code] = await once(child, 'close')
  return { code, output }
}
