import { setTimeout as pause } from 'node:timers/promises'
import { isOver, type Job } from '../../shared/domain/jobs/job.ts'
import { operatorActor } from '../../shared/domain/jobs/job-service.ts'
import type { WorldContext } from './world-command.ts'

const everyMs = 500

/** Shows the progress of a job of a running server until it ends. An abort cancels it. */
export const followJob = async ({ task, begin, signal }: WorldContext, started: Job, total: number): Promise<Job> => {
  const progress = begin(`Job ${started.id} of the running server`, total)
  let shown = 0
  let isCancelled = false
  try {
    for (;;) {
      const job = await task.jobs.getJob(started.id)
      const steps = Math.floor(job.progress * total)
      if (steps > shown) progress.advance(steps - shown)
      shown = Math.max(shown, steps)
      if (isOver(job)) return job
      if (signal.aborted && !isCancelled) await task.jobs.cancel(operatorActor(started.id), started.id)
      isCancelled = signal.aborted
      await pause(everyMs)
    }
  } finally {
    progress.end()
  }
}
