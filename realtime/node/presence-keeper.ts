import type { NodeFacts, NodePresence } from '../../shared/domain/presence/presence.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { createSerialQueue } from '../../shared/kernel/queue.ts'
import { repeat } from '../../shared/kernel/repeat.ts'

/** Reports this node and its players to other processes while it runs. */
export type PresenceKeeper = Pick<NodePresence, 'enter' | 'leave'> & {
  /** Reports now, and regularly until `close`. */
  start(everyMs?: number): void
  /** Reports an important change now. Does nothing before `start`. Resolves when it is reported or has failed; never rejects. */
  tellNow(): Promise<void>
  /** Removes the node. Never rejects: without Redis the entry expires. */
  close(): Promise<void>
}

/** Much less than the time after which a node counts as dead, and short enough that people see joins at once. */
const renewEveryMs = 1000

/** Without Redis it retries this many times as often, so that everything is reported within two seconds after Redis is back. */
const hasteWhileAway = 5

export type PresenceKeeperDeps = {
  readonly node: NodePresence
  /** The current facts about the node. Undefined while other processes cannot reach it. */
  readonly facts: () => NodeFacts | undefined
  readonly log: Log
}

/** A keeper that is inactive until it is started. Without Redis the node continues, and reports everything when Redis is back. */
export const createPresenceKeeper = ({ node, facts, log }: PresenceKeeperDeps): PresenceKeeper => {
  let isStarted = false
  let isAway = false
  let isClosed = false
  const inTurn = createSerialQueue()
  let stop = () => {}

  const renew = async (): Promise<void> => {
    try {
      const now = facts()
      if (now !== undefined) node.describe(now)
      await node.renew()
      if (isAway) log.info({}, 'presence is reported again')
      isAway = false
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'presence cannot be reported; retrying')
      isAway = true
    }
  }
  const renewNext = (): Promise<void> =>
    inTurn(async () => {
      if (!isClosed && isStarted) await renew()
    })

  return {
    enter: node.enter,
    leave: node.leave,
    tellNow: renewNext,
    start: (everyMs = renewEveryMs) => {
      isStarted = true
      void renewNext()
      let turns = 0
      stop = repeat(async () => {
        turns += 1
        if (isAway || turns % hasteWhileAway === 0) await renewNext()
      }, everyMs / hasteWhileAway)
    },
    close: async () => {
      isClosed = true
      stop()
      await inTurn(node.close).catch((error: unknown) =>
        log.warn({ err: error }, 'this node could not be removed from the registry; its entry will expire'),
      )
    },
  }
}
