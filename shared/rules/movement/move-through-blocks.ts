import { worldHeight } from '../positions.ts'
import { bodyHeight, bodySides, type Extent, firstBlock, lastBlock } from './body-extent.ts'
import type { SolidWorld } from './solid-world.ts'
import { createSweepAxis, sweepBox } from './sweep-box.ts'

/** The reason for refusing a step: a solid block is in the way, or the target is not in memory. */
export type BlockRefusal = 'blocked' | 'not-loaded'

type Position = { readonly x: number; readonly y: number; readonly z: number }

/** The blocks that a player inside a solid block may rise with one step. */
const riseMax = 2

const nothingIsSolid: SolidWorld['registry'] = { isSolid: () => false }

// There is nothing to hit above the world, even over columns that are not loaded.
const refusalAt = ({ loaded, registry }: SolidWorld, { x, y, z }: Position): BlockRefusal | undefined => {
  if (y >= worldHeight) return undefined
  const block = loaded.blockAt(x, y, z)
  if (block === undefined) return 'not-loaded'
  return registry.isSolid(block) ? 'blocked' : undefined
}

const isLoaded = ({ loaded }: SolidWorld, { x, y, z }: Position): boolean =>
  y >= worldHeight || loaded.blockAt(Math.floor(x), Math.floor(y), Math.floor(z)) !== undefined

const staysWithin = (from: number, to: number, extent: Extent): boolean =>
  firstBlock(to, extent) >= firstBlock(from, extent) && lastBlock(to, extent) <= lastBlock(from, extent)

/** Whether the body touches no new blocks, so that it cannot hit anything. */
const entersNothing = (from: Position, to: Position): boolean =>
  staysWithin(from.x, to.x, bodySides) && staysWithin(from.z, to.z, bodySides) && staysWithin(from.y, to.y, bodyHeight)

const findStraightRefusal = (world: SolidWorld, from: Position, to: Position): BlockRefusal | undefined => {
  if (entersNothing(from, to)) return undefined
  const sweep = {
    x: createSweepAxis(from.x, to.x, bodySides),
    y: createSweepAxis(from.y, to.y, bodyHeight),
    z: createSweepAxis(from.z, to.z, bodySides),
  }
  return sweepBox(sweep, (x, y, z) => refusalAt(world, { x, y, z }))
}

/** The corner of a way over an edge: up before across, or across before down. */
const edgeOf = (from: Position, to: Position): Position =>
  to.y > from.y ? { x: from.x, y: to.y, z: from.z } : { x: to.x, y: from.y, z: to.z }

const isInside = (world: SolidWorld, { x, y, z }: Position): boolean => {
  for (let atX = firstBlock(x, bodySides); atX <= lastBlock(x, bodySides); atX += 1)
    for (let atZ = firstBlock(z, bodySides); atZ <= lastBlock(z, bodySides); atZ += 1)
      for (let atY = firstBlock(y, bodyHeight); atY <= lastBlock(y, bodyHeight); atY += 1)
        if (refusalAt(world, { x: atX, y: atY, z: atZ }) === 'blocked') return true
  return false
}

const canRise = (world: SolidWorld, from: Position, to: Position): boolean =>
  to.y > from.y && to.y - from.y <= riseMax && isInside(world, from)

/**
 * Undefined if a player may move from one place to another: straight, or otherwise up and then across, or across and then down. Blocks
 * that the body already touches do not stop it: a player inside a block may leave it on any side, but enter no other. Such a player may
 * also rise through blocks above. Costs no look-up of blocks if the body touches no new ones.
 */
export const findBlockRefusal = (world: SolidWorld, from: Position, to: Position): BlockRefusal | undefined => {
  if (entersNothing(from, to)) return undefined
  if (!isLoaded(world, to)) return 'not-loaded'
  const straight = findStraightRefusal(world, from, to)
  if (straight !== 'blocked' || to.y === from.y) return straight
  const edge = edgeOf(from, to)
  const overEdge = findStraightRefusal(world, from, edge) ?? findStraightRefusal(world, edge, to)
  if (overEdge !== 'blocked' || !canRise(world, from, to)) return overEdge
  return findStraightRefusal({ ...world, registry: nothingIsSolid }, from, edge) ?? findStraightRefusal(world, edge, to)
}
