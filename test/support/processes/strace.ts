import { spawnSync } from 'node:child_process'
import { itWhere } from '../needs/guard.ts'
import { expectGuarded } from '../needs/guarded.ts'

const flushes = 'fdatasync,fsync,msync'

/** Tracing may be refused even if the program exists: containers forbid it by default. */
const isThere = spawnSync('strace', ['--seccomp-bpf', '-f', '-qq', '-e', `trace=${flushes}`, 'true']).status === 0

/** `it` if the flushes of a process can be made slow. */
export const itWithStrace = itWhere({
  reason: 'needs strace, and the right to trace processes, to make a disk slow',
  isMet: isThere,
  program: 'strace',
  isOptional: process.platform !== 'linux',
})

/** Arguments before a command that delay each flush of its processes to disk, and log the flushed files to `logPath`. */
export const slowFlushes = (delayMs: number, logPath: string): readonly string[] => {
  expectGuarded('strace', 'itWithStrace')
  return [
    ...['strace', '--seccomp-bpf', '-f', '-qq', '-o', logPath],
    ...['-e', `trace=${flushes}`, '-e', `inject=${flushes}:delay_exit=${delayMs * 1000}`],
  ]
}
