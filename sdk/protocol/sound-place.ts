import type { Position } from './generated/gatehouse.ts'

/**
 * Blocks from the middle, with a margin: servers keep players within 30,000,000 blocks horizontally and from 0 to 512
 * vertically.
 */
const acrossMax = 30_000_064
const heightMax = 10_000

/** Whether a place can be in a world. A path to a place further away would never end. */
export const isInWorld = ({ x, y, z }: Pick<Position, 'x' | 'y' | 'z'>): boolean =>
  Math.abs(x) <= acrossMax && Math.abs(z) <= acrossMax && Math.abs(y) <= heightMax

/** Whether a body can have this place and direction. */
export const isSoundPlace = (place: Position | undefined): boolean =>
  place === undefined || (isInWorld(place) && Number.isFinite(place.yaw) && Number.isFinite(place.pitch))
