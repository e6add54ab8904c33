import type { Placement } from '../interest/body.ts'
import type { FeedEvent } from './feed-messages.ts'
import type { ZoneEvent } from './zone-feed.ts'

/** A player as feeds see them. */
export type SeenPlayer = Readonly<Placement> & { readonly playerId: string; readonly displayName: string }

/** Who stands in a zone, as its feeds were told. */
export type FeedPlayers = {
  /** The player is in the zone at this look round. */
  see(player: SeenPlayer): void
  /** Ends a look round: whoever was not seen has left. */
  settle(): void
  /** Those who are there, for a newcomer. */
  list(): readonly FeedEvent[]
}

type Told = { readonly displayName: string; readonly position: Placement; isSeen: boolean }

const positionOf = ({ x, y, z, yaw, pitch }: SeenPlayer): Placement => ({ x, y, z, yaw, pitch })

const isThere = (at: Placement, { x, y, z, yaw, pitch }: SeenPlayer): boolean =>
  at.x === x && at.y === y && at.z === z && at.yaw === yaw && at.pitch === pitch

export const createFeedPlayers = (publish: (event: ZoneEvent) => void): FeedPlayers => {
  const told = new Map<string, Told>()
  return {
    see: (player) => {
      const { playerId, displayName } = player
      const before = told.get(playerId)
      if (before !== undefined) before.isSeen = true
      const isSameName = before?.displayName === displayName
      if (before !== undefined && isSameName && isThere(before.position, player)) return
      const position = positionOf(player)
      told.set(playerId, { displayName, position, isSeen: true })
      // One with another name comes in anew: editors know of names by this message only.
      publish(
        isSameName ? { type: 'playerMoved', playerId, position } : { type: 'playerEntered', playerId, displayName, position },
      )
    },
    settle: () => {
      for (const [playerId, player] of told) {
        if (!player.isSeen) {
          told.delete(playerId)
          publish({ type: 'playerLeft', playerId })
        }
        player.isSeen = false
      }
    },
    list: () =>
      Array.from(told, ([playerId, { displayName, position }]) => ({
        type: 'playerEntered' as const,
        playerId,
        displayName,
        position,
      })),
  }
}
