import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

/** Whether this machine has several cores and can pin processes to one. */
export const canPin = (): boolean => cpus().length > 1 && spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0

/** Pins a process with all its current threads to one core, so that a load generator takes nothing from the measured server. */
export const pinTo = (core: number, pid: number | undefined): void => {
  if (pid !== undefined && canPin()) spawnSync('taskset', ['-a', '-cp', String(core), String(pid)], { stdio: 'ignore' })
}
