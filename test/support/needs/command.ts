import { spawnSync } from 'node:child_process'
import type { Need } from './guard.ts'

/** A command on the path. `probe` is an argument with which it exits with 0. */
export const commandNeed = (command: string, probe = '--version'): Need => ({
  reason: `needs ${command} on the path`,
  isMet: spawnSync(command, [probe], { timeout: 60_000 }).status === 0,
})
