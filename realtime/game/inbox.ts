import type { Log } from '../../shared/kernel/log.ts'
import type { ClientMessageKind } from '../protocol/messages.ts'
import type { SessionConnection } from '../sessions/session.ts'

type Entry = { readonly connection: SessionConnection; readonly message: ClientMessageKind } | { readonly task: () => void }

/** Client messages and results of asynchronous work since the last tick, in order. */
export type Inbox = {
  pushMessage(connection: SessionConnection, message: ClientMessageKind): void
  pushTask(task: () => void): void
  /** Runs a task when `work` settles. */
  pushLater<T>(work: Promise<T>, then: (result: T) => void, failed: (error: unknown) => void): void
  /** Handles all entries. A failing entry is logged, and the others still run. */
  drain(handle: (connection: SessionConnection, message: ClientMessageKind) => void): void
  /** Whether no asynchronous work is pending. */
  isIdle(): boolean
  /** The number of entries for the next tick, and of pending asynchronous work. */
  depths(): { readonly inbox: number; readonly work: number }
}

export const createInbox = (log: Log): Inbox => {
  let entries: Entry[] = []
  let spare: Entry[] = []
  let waiting = 0

  const pushLater: Inbox['pushLater'] = (work, then, failed) => {
    const done = (task: () => void): void => {
      waiting -= 1
      entries.push({ task })
    }
    waiting += 1
    work.then(
      (result) => done(() => then(result)),
      (error: unknown) => done(() => failed(error)),
    )
  }

  return {
    pushMessage: (connection, message) => {
      entries.push({ connection, message })
    },
    pushTask: (task) => {
      entries.push({ task })
    },
    pushLater,
    drain: (handle) => {
      const taken = entries
      entries = spare
      for (const entry of taken)
        try {
          if ('task' in entry) entry.task()
          else handle(entry.connection, entry.message)
        } catch (error) {
          log.error({ cause: error instanceof Error ? error.stack : 'unknown' }, 'an entry of the inbox failed')
        }
      taken.length = 0
      spare = taken
    },
    isIdle: () => waiting === 0,
    depths: () => ({ inbox: entries.length, work: waiting }),
  }
}
