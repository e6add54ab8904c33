import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createParser } from '../../kernel/schema.ts'
import type { Collection, Store } from '../../platform/storage/store.ts'

const across = Type.Number({ minimum: -30_000_000, maximum: 30_000_000 })

/** The position of a player in a world: blocks, and degrees of yaw and pitch. */
export const SavedPosition = ClosedObject({
  x: across,
  y: Type.Number({ minimum: 0, maximum: 512 }),
  z: across,
  yaw: Type.Number({ minimum: 0, maximum: 360 }),
  pitch: Type.Number({ minimum: -90, maximum: 90 }),
})
export type SavedPosition = Static<typeof SavedPosition>

const parsePosition = createParser(SavedPosition)

/** By `savedPositionId`. An invalid record reads as undefined, so that it keeps no player out. */
export const savedPositions: Collection<SavedPosition | undefined> = {
  name: 'player-places',
  parse: (stored) => {
    const result = parsePosition(stored)
    return result.ok ? result.value : undefined
  },
}

/** A player has one saved position in each world. */
export const savedPositionId = (worldId: string, playerId: string): string => `${worldId}/${playerId}`

/** The last position of a player in a world; undefined for a new visitor. */
export const readSavedPosition = async (
  store: Pick<Store, 'get'>,
  worldId: string,
  playerId: string,
): Promise<SavedPosition | undefined> => (await store.get(savedPositions, savedPositionId(worldId, playerId)))?.value
