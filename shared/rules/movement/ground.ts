import { air } from '../chunks/chunk.ts'
import { worldHeight } from '../positions.ts'
import { bodySides, firstBlock, lastBlock } from './body-extent.ts'
import type { Point } from './reach.ts'
import type { SolidWorld } from './solid-world.ts'

/** The part of the world that a search for ground needs. */
export type GroundWorld = Pick<SolidWorld, 'loaded'>

/** Whether all blocks in that layer of the body are air; undefined if some are not in memory. */
const findIsAir = ({ loaded }: GroundWorld, at: Point, y: number): boolean | undefined => {
  let isAir = true
  for (let x = firstBlock(at.x, bodySides); x <= lastBlock(at.x, bodySides); x += 1)
    for (let z = firstBlock(at.z, bodySides); z <= lastBlock(at.z, bodySides); z += 1) {
      const block = loaded.blockAt(x, y, z)
      if (block === undefined) return undefined
      if (block !== air) isAir = false
    }
  return isAir
}

/**
 * The height of the nearest place at `at.x`, `at.z` where a player can stand: two blocks of air above something. Searches down from
 * `at.y` if there is air, otherwise up. Blocks that are not solid count as ground, so over water it is the surface. Returns the top of
 * the world if there is no ground, and undefined if some columns that the body touches are not in memory.
 */
export const findGround = (world: GroundWorld, at: Point): number | undefined => {
  if (findIsAir(world, at, 0) === undefined) return undefined
  const isFree = (y: number): boolean => y >= worldHeight || findIsAir(world, at, y) === true
  let y = Math.min(worldHeight, Math.max(0, Math.floor(at.y)))
  if (!isFree(y) || !isFree(y + 1)) {
    while (!isFree(y) || !isFree(y + 1)) y += 1
    return y
  }
  while (y > 0 && isFree(y - 1)) y -= 1
  return y === 0 ? worldHeight : y
}
