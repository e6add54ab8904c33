import { spawnSync } from 'node:child_process'
import { it } from '@jest/globals'

const isThere = spawnSync('prlimit', ['--version']).status === 0

const skipAloud = (name: string): void => {
  const reason = 'needs prlimit, of util-linux, to take a running server its room'
  if (process.env.CI && process.platform === 'linux') throw new Error(`This test must run in CI; it ${reason}.`)
  process.stderr.write(`SKIPPED: ${name}: ${reason}\n`)
  it.skip(`${name} (SKIPPED: ${reason})`, () => {})
}

/** `it` where the limits of a running process can be changed; else skipped with the reason in its name. */
export const itWithPrlimit = (name: string, body: () => Promise<void>, timeoutMs?: number): void => {
  if (isThere) it(name, body, timeoutMs)
  else skipAloud(name)
}
