import type { Log } from '../../shared/kernel/log.ts'
import type { ClientMessageKind } from '../protocol/messages.ts'
import type { SessionConnection } from '../sessions/session.ts'

type Entry = { readonly connection: SessionConnection; readonly message: ClientMessageKind } | { readonly task: () => void }

/** What arrived since the last tick, in order: messages of clients, and results of work that waited for something outside. */
export type Inbox = {
  pushMessage(connection: SessionConnection, message: ClientMessageKind): void
  pushTask(task: () => void): void
  /** Runs a task when `work` is done. */
  pushLater<T>(work: Promise<T>, then: (result: T) => void, failed: (error: unknown) => void): void
  /** Takes everything that is there; one entry that fails is logged and stops no other. */
  drain(handle: (connection: SessionConnection, message: ClientMessageKind) => void): void
  /** No work outside is waited for. */
  isIdle(): boolean
  /** Entries for the next tick, and work outside that is waited for. */
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
