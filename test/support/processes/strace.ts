import { spawnSync } from 'node:child_process'
import { itWhere } from '../needs/guard.ts'
import { expectGuarded } from '../needs/guarded.ts'

const flushes = 'fdatasync,fsync,msync'

/** Traced, a process may still be refused: containers forbid it unless told otherwise. */
const isThere = spawnSync('strace', ['--seccomp-bpf', '-f', '-qq', '-e', `trace=${flushes}`, 'true']).status === 0

/** `it` where the flushes of a process can be made slow. */
export const itWithStrace = itWhere({
  reason: 'needs strace, and the right to trace processes, to make a disk slow',
  isMet: isThere,
  program: 'strace',
  isOptional: process.platform !== 'linux',
})

/** What comes before a command so that each flush of its processes to disk takes so much longer; it writes what was flushed to `logPath`. */
export const slowFlushes = (delayMs: number, logPath: string): readonly string[] => {
  expectGuarded('strace', 'itWithStrace')
  return [
    ...['strace', '--seccomp-bpf', '-f', '-qq', '-o', logPath],
    ...['-e', `trace=${flushes}`, '-e', `inject=${flushes}:delay_exit=${delayMs * 1000}`],
  ]
}
