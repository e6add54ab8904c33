import type { Ids } from '../../kernel/ids.ts'
import type { EventBus, EventOf } from '../../platform/events/event-bus.ts'

/** How long a node may take to answer, in milliseconds. */
const answerMs = 2_000

/** What is to be done to a player who is connected. */
export type PlayerOrder = EventOf<'player-order'>['order']
/** `no-target`: the player to go to is not in the same world. `busy`: others write to the player too much at this moment. */
export type PlayerOutcome = EventOf<'player-ordered'>['outcome']

/** Asks whichever node has a player to do something to them. */
export type PlayerOrders = {
  /** What became of it; undefined where no node answered within two seconds. */
  send(playerId: string, order: PlayerOrder): Promise<PlayerOutcome | undefined>
}

/** Listens from the first order on, for as long as the process lives. */
export const createPlayerOrders = ({
  events,
  ids,
}: {
  readonly events: Pick<EventBus, 'publish' | 'subscribe'>
  readonly ids: Pick<Ids, 'uuid'>
}): PlayerOrders => {
  const asked = new Map<string, (outcome: PlayerOutcome) => void>()
  let listening: Promise<unknown> | undefined
  const listen = (): Promise<unknown> => {
    listening ??= events
      .subscribe('player-ordered', ({ id, outcome }) => asked.get(id)?.(outcome))
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
          clearTimeout(patience)
          asked.delete(id)
          resolve(outcome)
        }
        const patience = setTimeout(() => settle(undefined), answerMs)
        asked.set(id, settle)
        // With Redis away listening waits, and nobody else does; what nobody waits for any more is not done minutes later either.
        listen().then(
          () => {
            if (asked.has(id)) void events.publish('player-order', { id, playerId, order })
          },
          (error: unknown) => {
            clearTimeout(patience)
            asked.delete(id)
            reject(error)
          },
        )
      })
    },
  }
}
