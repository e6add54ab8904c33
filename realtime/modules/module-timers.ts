import { createSchedule } from '../../shared/domain/modules/cron.ts'
import type { LoadedSpec } from '../../shared/domain/modules/module-spec.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { CallSource } from './module-calls.ts'
import type { ModuleSchedule, ModuleTimer, RunningModule } from './running-module.ts'

/** The schedules of a module from `nowMs` on. Throws for a faulty cron expression. */
export const createSchedules = ({ schedules }: Pick<LoadedSpec, 'schedules'>, nowMs: number): readonly ModuleSchedule[] =>
  Array.from(schedules, ([name, { cron, run }]) => ({ name, schedule: createSchedule(cron, nowMs), run }))

/** The schedules that are due. Each is due once. */
export const findDueSchedules = function* (modules: readonly RunningModule[], nowMs: number) {
  for (const module of modules)
    for (const { name, schedule, run } of module.schedules)
      if (!module.isOff && schedule.isDue(nowMs)) yield { module, name, run }
}

const takeDue = ({ timers }: RunningModule, nowMs: number): readonly ModuleTimer[] => {
  const due: ModuleTimer[] = []
  for (const timer of timers) if (timer.dueMs <= nowMs) due.push(timer)
  return due.sort((one, other) => one.dueMs - other.dueMs)
}

/** The calls of the timers of a module that are due, in the order of their times. */
export const runTimers = function* (module: RunningModule, nowMs: number): CallSource {
  if (module.timers.size === 0) return
  for (const timer of takeDue(module, nowMs)) {
    if (timer.isEnded) continue
    if (timer.everyMs === undefined) module.timers.delete(timer)
    // A timer that is late runs once.
    else timer.dueMs = Math.max(timer.dueMs + timer.everyMs, nowMs)
    yield { module, label: timer.everyMs === undefined ? 'after' : 'every', mode: 'act', run: timer.run }
  }
}

/** The steps of the jobs of modules, until `leftMs` have passed. */
export const runJobs = function* (
  modules: readonly RunningModule[],
  leftMs: number,
  clock: Pick<Clock, 'monotonic'>,
): CallSource {
  const startedMs = clock.monotonic()
  for (const module of modules)
    while (module.jobs.length > 0 && !module.isOff) {
      const [job] = module.jobs
      if (job === undefined || clock.monotonic() - startedMs > leftMs) break
      let isDone: boolean | undefined = true
      const run = (): void => {
        isDone = job.steps.next().done
      }
      yield { module, label: `job ${job.name}`, mode: 'act', isSpare: true, run }
      if (isDone) module.jobs.shift()
    }
}
