import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Runs a program and returns its output. */
export const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  })

/** Writes the declarations of all sources of the project at `path`, a folder or a `tsconfig.json`, into `folder`. */
export const emitDeclarations = (path: string, folder: string): void => {
  const flags = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', root, '--outDir', folder]
  const binary = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'tsc.cmd' : 'tsc')
  run(binary, ['-p', path, ...flags], root)
}

const importedFiles = /(from\s+['"])(\.{1,2}\/[^'"]+)\.ts(['"])/g

/** Copies the declarations at `paths`, without their suffix, and all that they import from the output of `tsc`. */
export const copyDeclarations = (from: string, to: string, paths: readonly string[]): void => {
  const done = new Set<string>()
  const copy = (path: string): void => {
    if (done.has(path)) return
    done.add(path)
    const text = readFileSync(join(from, `${path}.d.ts`), 'utf8')
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, `${path}.d.ts`), text.replace(importedFiles, '$1$2.js$3'))
    for (const [, , imported = ''] of text.matchAll(importedFiles)) copy(posix.join(posix.dirname(path), imported))
  }
  for (const path of paths) copy(path)
}

/** Packs a folder as npm does. Returns the name of the tarball in `into`. */
export const packFolder = (folder: string, into: string): string => {
  mkdirSync(into, { recursive: true })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const packed = run(npm, ['pack', '--json', '--loglevel=error', '--pack-destination', resolve(into)], folder)
  const [{ filename }] = JSON.parse(packed)
  return filename
}
