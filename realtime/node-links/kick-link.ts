import type { Ids } from '../../shared/kernel/ids.ts'
import { startTimeLimit } from '../../shared/kernel/time-limit.ts'
import type { EventBus } from '../../shared/platform/events/event-bus.ts'

/** The time limit for answers of other nodes, in milliseconds. */
const answerMs = 2_000

/** Ends sessions on other nodes. */
export type KickLink = {
  /** Whether a node confirmed that it ended a session of the player. */
  kick(playerId: string, reason: string): Promise<boolean>
  /** Handles kicks of other nodes and their answers. Returns a function that stops it. */
  start(kickHere: (playerId: string, reason: string) => Promise<boolean>): Promise<() => void>
}

export type KickLinkDeps = {
  readonly nodeId: string
  readonly events: EventBus
  readonly ids: Pick<Ids, 'uuid'>
}

export const createKickLink = ({ nodeId, events, ids }: KickLinkDeps): KickLink => {
  const asked = new Map<string, (wasKicked: boolean) => void>()
  return {
    kick: (playerId, reason) => {
      const id = ids.uuid()
      return new Promise((resolve) => {
        const settle = (wasKicked: boolean): void => {
          endLimit()
          asked.delete(id)
          resolve(wasKicked)
        }
        const endLimit = startTimeLimit(answerMs, () => settle(false))
        asked.set(id, settle)
        void events.publish('player-kick', { id, playerId, reason })
      })
    },
    start: async (kickHere) => {
      const stops = [
        await events.subscribe('player-kicked', ({ id }) => asked.get(id)?.(true)),
        await events.subscribe('player-kick', async ({ id, playerId, reason }) => {
          // Also handles kicks from this node, because the player may have come here in the meantime.
          if (await kickHere(playerId, reason)) await events.publish('player-kicked', { id, playerId, nodeId })
        }),
      ]
      return () => {
        for (const stop of stops) stop()
        for (const settle of [...asked.values()]) settle(false)
      }
    },
  }
}
