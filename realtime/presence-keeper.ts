import type { Log } from '../shared/kernel/log.ts'
import type { NodePresence } from '../shared/presence/presence.ts'
import { repeat } from './repeat.ts'

/** Tells others who is connected to this node, for as long as it runs. */
export type PresenceKeeper = Pick<NodePresence, 'enter' | 'leave'> & {
  /** Tells it now and again and again until `close`. */
  start(everyMs?: number): void
  /** Takes the node out. Never rejects: where Redis is away, the node is gone by itself after a while. */
  close(): Promise<void>
}

/** Far below the time after which a silent node counts as dead, and short enough that a join is known at once for people. */
const renewEveryMs = 1000

/** A keeper that says nothing until it is started; with Redis away the node plays on, and all is told anew when it is back. */
export const createPresenceKeeper = ({ node, log }: { readonly node: NodePresence; readonly log: Log }): PresenceKeeper => {
  let isAway = false
  let isClosed = false
  let underWay = Promise.resolve()
  let stop = () => {}

  const renew = async (): Promise<void> => {
    try {
      await node.renew()
      if (isAway) log.info({}, 'who is connected is told again')
      isAway = false
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'who is connected cannot be told; it is tried again')
      isAway = true
    }
  }
  const renewNext = (): Promise<void> => {
    underWay = underWay.then(() => (isClosed ? undefined : renew()))
    return underWay
  }

  return {
    enter: node.enter,
    leave: node.leave,
    start: (everyMs = renewEveryMs) => {
      void renewNext()
      stop = repeat(renewNext, everyMs)
    },
    close: async () => {
      isClosed = true
      stop()
      await underWay
      await node.close().catch((error: unknown) => log.warn({ err: error }, 'this node is listed until its time is over'))
    },
  }
}
