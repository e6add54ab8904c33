import { spawnSync } from 'node:child_process'
import { it } from '@jest/globals'

const asPeople = ['--bounding-set=-dac_override,-dac_read_search,-fowner']

const isRoot = process.getuid?.() === 0
const isThere = spawnSync('setpriv', [...asPeople, 'true']).status === 0

/** The arguments before a command that make its process heed the modes of files, even where the tests run as root. */
export const heedingModes: readonly string[] = isRoot ? ['setpriv', ...asPeople] : []

const skipAloud = (name: string): void => {
  const reason = 'needs setpriv, of util-linux, since root may write whatever the mode of a folder says'
  if (process.env.CI && process.platform === 'linux') throw new Error(`This test must run in CI; it ${reason}.`)
  process.stderr.write(`SKIPPED: ${name}: ${reason}\n`)
  it.skip(`${name} (SKIPPED: ${reason})`, () => {})
}

/** `it` where a process can be made to heed the modes of files; else skipped with the reason in its name. */
export const itHeedingModes = (name: string, body: () => Promise<void>, timeoutMs?: number): void => {
  if (process.platform !== 'win32' && (!isRoot || isThere)) it(name, body, timeoutMs)
  else skipAloud(name)
}
