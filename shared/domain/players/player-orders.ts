import type { Ids } from '../../kernel/ids.ts'
import { startTimeLimit } from '../../kernel/time-limit.ts'
import type { EventBus, EventOf } from '../../platform/events/event-bus.ts'

/** The time that a node has to answer, in milliseconds. */
const answerMs = 2_000

/** An action on a connected player. */
export type PlayerOrder = EventOf<'player-order'>['order']
/** `no-target`: the target player of a teleport is not in the same world. `busy`: too many changes of the player are in progress. */
export type PlayerOutcome = EventOf<'player-ordered'>['outcome']

/** Sends orders to the node that has the player. */
export type PlayerOrders = {
  /** The outcome; undefined if no node answers within two seconds. */
  send(playerId: string, order: PlayerOrder): Promise<PlayerOutcome | undefined>
}

/** Subscribes with the first order, for the lifetime of the process. */
export const createPlayerOrders = ({
  events,
  ids,
}: {
  readonly events: Pick<EventBus, 'publish' | 'subscribe'>
  readonly ids: Pick<Ids, 'uuid'>
}): PlayerOrders => {
  const pending = new Map<string, (outcome: PlayerOutcome) => void>()
  let listening: Promise<unknown> | undefined
  const listen = (): Promise<unknown> => {
    listening ??= events
      .subscribe('player-ordered', ({ id, outcome }) => pending.get(id)?.(outcome))
      .catch((error: unknown) => {
        listening = undefined
        throw error
      })
    return listening
  }
  return {
    send: (playerId, order) => {
      const id = ids.uuid()
      return new Promise((resolve, reject) => {
        const settle = (outcome: PlayerOutcome | undefined): void => {
          endLimit()
          pending.delete(id)
          resolve(outcome)
        }
        const endLimit = startTimeLimit(answerMs, () => settle(undefined))
        pending.set(id, settle)
        // Without Redis the subscription waits, but the caller does not. An order that timed out is not sent later.
        listen().then(
          () => {
            if (pending.has(id)) void events.publish('player-order', { id, playerId, order })
          },
          (error: unknown) => {
            endLimit()
            pending.delete(id)
            reject(error)
          },
        )
      })
    },
  }
}
