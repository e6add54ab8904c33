import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Copies a folder with modes and links to a new path. Both share the same read-only files: copies of all packages cost more than
 * a build.
 */
export const copyTree = async (from: string, to: string): Promise<void> => {
  await run('cp', ['-al', from, to])
}

/** Removes a folder. For the tens of thousands of files of all packages, Node's own `rm` takes several times as long. */
export const removeTree = async (folder: string): Promise<void> => {
  await run('rm', ['-rf', folder])
}

/**
 * Puts the packages of `root` without development dependencies into the folder `to`, as `npm ci --omit=dev` does. That command takes
 * sixteen seconds of processor time. The record of npm in `node_modules` says which packages these are.
 */
export const linkPackages = async (root: string, to: string): Promise<void> => {
  const { packages } = JSON.parse(await readFile(join(root, 'node_modules/.package-lock.json'), 'utf8'))
  const names = Object.entries<{ readonly dev?: boolean }>(packages).flatMap(([name, { dev }]) => (dev ? [] : [name]))
  // A package brings those in its own folder.
  const outer = names.filter((name) => !names.some((other) => name.startsWith(`${other}/`)))
  const copy = (how: string) => run('cp', [how, '--parents', ...outer, to], { cwd: root })
  // A link needs the same file system.
  await copy('-alf').catch(() => copy('-af'))
}
