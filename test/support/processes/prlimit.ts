import { spawnSync } from 'node:child_process'
import { itWhere } from '../needs/guard.ts'

/** `it` where the limits of a running process can be changed. */
export const itWithPrlimit = itWhere({
  reason: 'needs prlimit, of util-linux, to take a running server its room',
  isMet: spawnSync('prlimit', ['--version']).status === 0,
  isOptional: process.platform !== 'linux',
})
