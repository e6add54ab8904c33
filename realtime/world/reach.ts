import type { BlockPos } from '../../shared/worlds/positions.ts'
import { bodyHeight, bodySides, firstBlock, lastBlock } from './body-extent.ts'

/** A place in blocks; a player's is that of the feet. */
export type Point = { readonly x: number; readonly y: number; readonly z: number }

/** How far a player reaches, in blocks, from the eyes to the nearest point of a block. */
export const reachBlocks = 7

/** Height of a player's eyes above the feet, in blocks. */
export const eyeHeight = 1.62

const gap = (from: number, block: number): number => Math.max(block - from, 0, from - (block + 1))

/** Whether a player whose feet are at `feet` reaches the block. */
export const isWithinReach = (feet: Point, { x, y, z }: BlockPos): boolean =>
  gap(feet.x, x) ** 2 + gap(feet.y + eyeHeight, y) ** 2 + gap(feet.z, z) ** 2 <= reachBlocks ** 2

/** Whether a player whose feet are at `feet` stands in the block. */
export const touchesBody = (feet: Point, { x, y, z }: BlockPos): boolean =>
  firstBlock(feet.x, bodySides) <= x &&
  x <= lastBlock(feet.x, bodySides) &&
  firstBlock(feet.y, bodyHeight) <= y &&
  y <= lastBlock(feet.y, bodyHeight) &&
  firstBlock(feet.z, bodySides) <= z &&
  z <= lastBlock(feet.z, bodySides)
