import { isInWorld } from '../protocol/sound-place.ts'
import { type BlockRefusal, findBlockRefusal as findServerRefusal, type Point, type SolidWorld } from './rules.ts'

/** Blocks along one axis: far more than the server allows at once. */
const wayMax = 1_024

const isShort = (from: Point, to: Point): boolean =>
  Math.abs(to.x - from.x) <= wayMax && Math.abs(to.y - from.y) <= wayMax && Math.abs(to.z - from.z) <= wayMax

/**
 * Whether blocks are in the way between two places, by the server's own rule. The rule checks every block of the way. A way of
 * more than 1,024 blocks or out of the world is `not-loaded` without a check.
 */
export const findBlockRefusal = (world: SolidWorld, from: Point, to: Point): BlockRefusal | undefined =>
  isInWorld(from) && isInWorld(to) && isShort(from, to) ? findServerRefusal(world, from, to) : 'not-loaded'
