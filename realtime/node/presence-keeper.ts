import type { NodeFacts, NodePresence } from '../../shared/domain/presence/presence.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { repeat } from '../../shared/kernel/repeat.ts'

/** Tells others what this node is and who is connected to it, for as long as it runs. */
export type PresenceKeeper = Pick<NodePresence, 'enter' | 'leave'> & {
  /** Tells it now and again and again until `close`. */
  start(everyMs?: number): void
  /** Tells it now, for a change that others wait for. Resolves when it is told or could not be, and does not tell before `start`; never rejects. */
  tellNow(): Promise<void>
  /** Takes the node out. Never rejects: where Redis is away, the node is gone by itself after a while. */
  close(): Promise<void>
}

/** Far below the time after which a silent node counts as dead, and short enough that a join is known at once for people. */
const renewEveryMs = 1000

/** With Redis away it is tried so many times as often: all of it is to be there within two seconds after Redis is. */
const hasteWhileAway = 5

export type PresenceKeeperDeps = {
  readonly node: NodePresence
  /** The node as it is now; undefined while others cannot reach it yet. */
  readonly facts: () => NodeFacts | undefined
  readonly log: Log
}

/** A keeper that says nothing until it is started; with Redis away the node plays on, and all is told again when it is back. */
export const createPresenceKeeper = ({ node, facts, log }: PresenceKeeperDeps): PresenceKeeper => {
  let isStarted = false
  let isAway = false
  let isClosed = false
  let underWay = Promise.resolve()
  let stop = () => {}

  const renew = async (): Promise<void> => {
    try {
      const now = facts()
      if (now !== undefined) node.describe(now)
      await node.renew()
      if (isAway) log.info({}, 'who is connected is told again')
      isAway = false
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'who is connected cannot be told; it is tried again')
      isAway = true
    }
  }
  const renewNext = (): Promise<void> => {
    underWay = underWay.then(() => (isClosed || !isStarted ? undefined : renew()))
    return underWay
  }

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
      await underWay
      await node.close().catch((error: unknown) => log.warn({ err: error }, 'this node is listed until its time is over'))
    },
  }
}
