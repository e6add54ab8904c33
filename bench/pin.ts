import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

/** Whether processes can be kept to a core here, and there is more than one. */
export const canPin = (): boolean => cpus().length > 1 && spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0

/** Keeps a process, all threads that it has by now, to one core: a load generator must not take from what it measures. */
export const pinTo = (core: number, pid: number | undefined): void => {
  if (pid !== undefined && canPin()) spawnSync('taskset', ['-a', '-cp', String(core), String(pid)], { stdio: 'ignore' })
}
