import { air } from '../chunks/chunk.ts'
import { type BlockPos, worldHeight } from '../positions.ts'
import { bodyHeight, bodySides, firstBlock, lastBlock } from './body-extent.ts'
import type { SolidWorld } from './move-through-blocks.ts'

/** A position in blocks; for a player, of the feet. */
export type Point = { readonly x: number; readonly y: number; readonly z: number }

/** A box of blocks by its corners, both included. */
export type BlockBox = { readonly min: BlockPos; readonly max: BlockPos }

/** The reach of a player, in blocks, from the eyes to the nearest point of a block. */
export const reachBlocks = 7

/** Height of a player's eyes above the feet, in blocks. */
export const eyeHeight = 1.62

const gap = (from: number, block: number): number => Math.max(block - from, 0, from - (block + 1))

/** Whether a player whose feet are at `feet` reaches the block. */
export const isWithinReach = (feet: Point, { x, y, z }: BlockPos): boolean =>
  gap(feet.x, x) ** 2 + gap(feet.y + eyeHeight, y) ** 2 + gap(feet.z, z) ** 2 <= reachBlocks ** 2

/** The smallest box around some blocks. */
export const boxAround = (blocks: readonly BlockPos[]): BlockBox => {
  const of = (pick: (...values: number[]) => number): BlockPos => ({
    x: pick(...blocks.map(({ x }) => x)),
    y: pick(...blocks.map(({ y }) => y)),
    z: pick(...blocks.map(({ z }) => z)),
  })
  return { min: of(Math.min), max: of(Math.max) }
}

/** Whether a player whose feet are at `feet` overlaps a block of the box. */
export const touchesBody = (feet: Point, { min, max }: BlockBox): boolean =>
  firstBlock(feet.x, bodySides) <= max.x &&
  lastBlock(feet.x, bodySides) >= min.x &&
  firstBlock(feet.y, bodyHeight) <= max.y &&
  lastBlock(feet.y, bodyHeight) >= min.y &&
  firstBlock(feet.z, bodySides) <= max.z &&
  lastBlock(feet.z, bodySides) >= min.z

/** The part of the world that a search for ground needs. */
type GroundWorld = Pick<SolidWorld, 'loaded'>

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
