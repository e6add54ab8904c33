import type { BlockPos } from '../positions.ts'
import { bodyHeight, bodySides, firstBlock, lastBlock } from './body-extent.ts'

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
