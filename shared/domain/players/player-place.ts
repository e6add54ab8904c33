import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createParser } from '../../kernel/schema.ts'
import type { Collection, Store } from '../../platform/storage/store.ts'

const across = Type.Number({ minimum: -30_000_000, maximum: 30_000_000 })

/** The position of a player in a world: blocks, and degrees of yaw and pitch. */
export const PlayerPlace = ClosedObject({
  x: across,
  y: Type.Number({ minimum: 0, maximum: 512 }),
  z: across,
  yaw: Type.Number({ minimum: 0, maximum: 360 }),
  pitch: Type.Number({ minimum: -90, maximum: 90 }),
})
export type PlayerPlace = Static<typeof PlayerPlace>

const parsePlace = createParser(PlayerPlace)

/** By `placeId`. An invalid record reads as undefined, so that it keeps no player out. */
export const playerPlaces: Collection<PlayerPlace | undefined> = {
  name: 'player-places',
  parse: (stored) => {
    const result = parsePlace(stored)
    return result.ok ? result.value : undefined
  },
}

/** A player has one place in each world. */
export const placeId = (worldId: string, playerId: string): string => `${worldId}/${playerId}`

/** The last place of a player in a world; undefined for a new visitor. */
export const readPlace = async (store: Pick<Store, 'get'>, worldId: string, playerId: string): Promise<PlayerPlace | undefined> =>
  (await store.get(playerPlaces, placeId(worldId, playerId)))?.value
