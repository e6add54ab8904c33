import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './code-of.ts'

const causes = new Map<unknown, string>([
  ['EROFS', 'it is mounted read-only'],
  ['EACCES', 'the user of this process may not write it'],
  ['EPERM', 'the user of this process may not write it'],
])

/** Why a file or folder cannot be written, as the end of a sentence; undefined where nothing known is in the way. */
export const describeCause = (cause: unknown): string | undefined =>
  codeOf(cause) === 'EBUSY'
    ? 'it is mounted by itself, so it cannot be replaced: mount its folder instead'
    : causes.get(codeOf(cause))

/** Where something is mounted, by the kernel of Linux; empty elsewhere. */
const readMounts = (): ReadonlySet<string> => {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
    return new Set(lines.map((line) => (line.split(' ')[4] ?? '').replaceAll('\\040', ' ')))
  } catch {
    return new Set()
  }
}

const findFault = (path: string): string | undefined => {
  try {
    accessSync(path, constants.W_OK)
    return undefined
  } catch (error) {
    return describeCause(error)
  }
}

/**
 * What keeps files of the config folder from being saved, a sentence each: the folder, or a file in it that is mounted by itself. Files are
 * saved by replacing them, which both forbid. Empty where there is no folder yet.
 */
export const describeUnwritable = (configDir: string, mounts: ReadonlySet<string> = readMounts()): readonly string[] => {
  if (!existsSync(configDir)) return []
  const folder = realpathSync(configDir)
  const fault = findFault(folder)
  if (fault !== undefined)
    return [
      `Accounts and configs cannot be saved: the folder config of the data folder cannot be written, ${fault}. See docs/containers.md.`,
    ]
  return readdirSync(folder)
    .filter((name) => mounts.has(join(folder, name)))
    .map(
      (name) =>
        `config/${name} cannot be saved: it is mounted by itself. Mount the folder config instead; see docs/containers.md.`,
    )
}
