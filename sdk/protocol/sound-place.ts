import type { Position } from './generated/gatehouse.ts'

/** Blocks from the middle, with a margin: servers keep everybody within 30,000,000 across and from 0 to 512 up. */
const acrossMax = 30_000_064
const heightMax = 10_000

/** Whether a place can be in a world; one that is further away would be walked to block by block, without an end. */
export const isInWorld = ({ x, y, z }: Pick<Position, 'x' | 'y' | 'z'>): boolean =>
  Math.abs(x) <= acrossMax && Math.abs(z) <= acrossMax && Math.abs(y) <= heightMax

/** Whether a body can be at a place and look as it says. */
export const isSoundPlace = (place: Position | undefined): boolean =>
  place === undefined || (isInWorld(place) && Number.isFinite(place.yaw) && Number.isFinite(place.pitch))
