import type { Log } from '../../../shared/kernel/log.ts'

/** Work under way that nobody waits for until the end. */
export type Tasks = {
  /** Begins it; it is to handle its errors itself, what it throws nevertheless is logged. */
  run(task: () => Promise<void>): void
  /** Resolves once nothing is under way. */
  settle(): Promise<void>
}

export const createTasks = (log: Log): Tasks => {
  const running = new Set<Promise<void>>()
  const finish = async (task: () => Promise<void>): Promise<void> => {
    try {
      await task()
    } catch (error) {
      log.error({ err: error }, 'Work on columns failed.')
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
