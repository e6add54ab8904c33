import { scheduleOf, type Zone, type ZoneChunks } from '../../shared/domain/zones/zone.ts'
import type { ChunkBox } from '../../shared/rules/positions.ts'

/** The part of a zone that the game uses. `box` contains all of its columns. */
export type GameZone = Pick<
  Zone,
  | 'id'
  | 'name'
  | 'yMin'
  | 'yMax'
  | 'chunks'
  | 'enabled'
  | 'owner'
  | 'rules'
  | 'members'
  | 'opensAt'
  | 'closesAt'
  | 'expiresAt'
  | 'hours'
  | 'timeZone'
  | 'reset'
> & { readonly box: ChunkBox }

const boxAround = (chunks: ZoneChunks): ChunkBox => {
  const box = { minCx: Infinity, maxCx: -Infinity, minCz: Infinity, maxCz: -Infinity }
  for (const { cx, cz } of chunks) {
    box.minCx = Math.min(box.minCx, cx)
    box.maxCx = Math.max(box.maxCx, cx)
    box.minCz = Math.min(box.minCz, cz)
    box.maxCz = Math.max(box.maxCz, cz)
  }
  return box
}

/** Removes the data of the editor. */
export const gameZoneOf = (zone: Omit<GameZone, 'box'>): GameZone => {
  const { id, name, yMin, yMax, chunks, enabled, owner, rules, members } = zone
  return {
    id,
    name,
    yMin,
    yMax,
    chunks,
    enabled,
    owner,
    ...(rules && { rules }),
    ...(members && { members }),
    ...scheduleOf(zone),
    box: boxAround(chunks),
  }
}
