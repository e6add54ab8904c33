import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './code-of.ts'

const causes = new Map<unknown, string>([
  ['EROFS', 'it is mounted read-only'],
  ['EACCES', 'the user of this process has no write permission'],
  ['EPERM', 'the user of this process has no write permission'],
])

/** The reason why a file or folder cannot be written, as the end of a sentence; undefined for unknown reasons. */
export const describeCause = (cause: unknown): string | undefined =>
  codeOf(cause) === 'EBUSY'
    ? 'it is a separate mount, so it cannot be replaced; mount its folder instead'
    : causes.get(codeOf(cause))

/** The mount points, from the Linux kernel; empty on other systems. */
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
 * The reasons why files of the config folder cannot be saved, one sentence each: a read-only folder, or a file that is a separate
 * mount. Files are saved by replacing them, which both prevent. Empty if the folder does not exist yet.
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
        `config/${name} cannot be saved: it is a separate mount. Mount the folder config instead. See docs/containers.md.`,
    )
}
