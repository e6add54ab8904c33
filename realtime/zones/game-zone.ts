import type { Zone } from '../../shared/zones/zone.ts'

/** What the game knows of a zone. */
export type GameZone = Pick<Zone, 'id' | 'name' | 'yMin' | 'yMax' | 'chunks' | 'enabled'>

/** Without what is the editor's alone. */
export const gameZoneOf = ({ id, name, yMin, yMax, chunks, enabled }: Zone): GameZone => ({
  ...{ id, name, yMin, yMax, chunks, enabled },
})
