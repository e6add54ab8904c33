import { worldHeight } from '../positions.ts'
import { bodyHeight, bodySides, type Extent, firstBlock, lastBlock } from './body-extent.ts'
import type { SolidWorld } from './solid-world.ts'
import { createSweepAxis, sweepBox } from './sweep-box.ts'

/** Why a step cannot be: something solid is in the way, or it leads to where no blocks are in memory. */
export type BlockRefusal = 'blocked' | 'not-loaded'

type Position = { readonly x: number; readonly y: number; readonly z: number }

/** Blocks that somebody who is inside of something solid may rise through it with one step. */
const riseMax = 2

const nothingIsSolid: SolidWorld['registry'] = { isSolid: () => false }

// Above the world there is nothing to run into, whether the land below is made or not.
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

/** The same blocks as before or some of them: there is nothing new to run into. */
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

/** Where the way over an edge turns: one goes up before going across, and down after it. */
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
 * Undefined when a player may go from one place to another: straight, or where that is blocked up and then across, or across and then
 * down. A block that the body touches already never stops it: whoever is inside of one may leave it on any side, but into no other. They may also rise through what is above. Where the body touches no new ones, it costs no look at the world.
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
