import type { Ids } from '../../shared/kernel/ids.ts'
import type { EventBus } from '../../shared/platform/events/event-bus.ts'

/** How long another node may take to answer, in milliseconds. */
const answerMs = 2_000

/** Ends sessions on other nodes. */
export type KickLink = {
  /** Whether a node said that it had the player and ended their session. */
  kick(playerId: string, reason: string): Promise<boolean>
  /** Does here what others ask for, and hears their answers, from now on; the returned function ends that. */
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
          clearTimeout(patience)
          asked.delete(id)
          resolve(wasKicked)
        }
        const patience = setTimeout(() => settle(false), answerMs)
        asked.set(id, settle)
        void events.publish('player-kick', { id, playerId, reason })
      })
    },
    start: async (kickHere) => {
      const stops = [
        await events.subscribe('player-kicked', ({ id }) => asked.get(id)?.(true)),
        await events.subscribe('player-kick', async ({ id, playerId, reason }) => {
          // One's own question as well: the player may have come here meanwhile.
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
