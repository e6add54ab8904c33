import type { Log } from '../../../shared/kernel/log.ts'

/** Background work that is only awaited at the end. */
export type Tasks = {
  /** Starts the task, which should handle its errors. Unhandled errors are logged. */
  run(task: () => Promise<void>): void
  /** Resolves when no task is running. */
  settle(): Promise<void>
}

export const createTasks = (log: Log): Tasks => {
  const running = new Set<Promise<void>>()
  const finish = async (task: () => Promise<void>): Promise<void> => {
    try {
      await task()
    } catch (error) {
      log.error({ err: error }, 'work on columns failed')
    }
  }
  return {
    run: (task) => {
      const done = finish(task).then(() => {
        running.delete(done)
      })
      running.add(done)
    },
    settle: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
