import { spawnSync } from 'node:child_process'
import { it } from '@jest/globals'

const flushes = 'fdatasync,fsync,msync'

/** Traced, a process may still be refused: containers forbid it unless told otherwise. */
const isThere = spawnSync('strace', ['--seccomp-bpf', '-f', '-qq', '-e', `trace=${flushes}`, 'true']).status === 0

const skipAloud = (name: string): void => {
  const reason = 'needs strace, and the right to trace processes, to make a disk slow'
  if (process.env.CI && process.platform === 'linux') throw new Error(`This test must run in CI; it ${reason}.`)
  process.stderr.write(`SKIPPED: ${name}: ${reason}\n`)
  it.skip(`${name} (SKIPPED: ${reason})`, () => {})
}

/** `it` where the flushes of a process can be made slow; else skipped with the reason in its name. */
export const itWithStrace = (name: string, body: () => Promise<void>, timeoutMs?: number): void => {
  if (isThere) it(name, body, timeoutMs)
  else skipAloud(name)
}

/** What comes before a command so that each flush of its processes to disk takes so much longer; it writes what was flushed to `logPath`. */
export const slowFlushes = (delayMs: number, logPath: string): readonly string[] => [
  ...['strace', '--seccomp-bpf', '-f', '-qq', '-o', logPath],
  ...['-e', `trace=${flushes}`, '-e', `inject=${flushes}:delay_exit=${delayMs * 1000}`],
]
