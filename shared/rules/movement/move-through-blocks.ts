import { worldHeight } from '../positions.ts'
import { bodyHeight, bodySides, type Extent, firstBlock, lastBlock } from './body-extent.ts'

/** The parts of a world needed for collisions: the block index at a place, and whether a kind is solid. */
export type SolidWorld = {
  readonly loaded: {
    /** Undefined if the column is not in memory. */
    blockAt(x: number, y: number, z: number): number | undefined
  }
  readonly registry: { isSolid(index: number): boolean }
}

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

/** One axis of a moving box, and the row of blocks that its front has reached. */
type SweepAxis = {
  readonly from: number
  readonly to: number
  readonly extent: Extent
  readonly lastRow: number
  row: number
  /** When the front enters the next row, as a fraction of the way; infinite if it enters none. */
  nextAt: number
}

/** A box that moves through blocks. Use it for one sweep. */
type Sweep = { readonly x: SweepAxis; readonly y: SweepAxis; readonly z: SweepAxis }

const entryOf = ({ from, to, extent, row, lastRow }: SweepAxis): number => {
  if (row === lastRow) return Number.POSITIVE_INFINITY
  const border = to < from ? row - extent.below : row + 1 - extent.above
  return (border - from) / (to - from)
}

/** An axis of a box that moves straight. */
const createSweepAxis = (from: number, to: number, extent: Extent): SweepAxis => {
  const frontOf = to < from ? firstBlock : lastBlock
  const axis = { from, to, extent, row: frontOf(from, extent), lastRow: frontOf(to, extent), nextAt: 0 }
  axis.nextAt = entryOf(axis)
  return axis
}

// The front is counted in rows, so that it agrees with the order of entering. The rear never passes its end position, so that rounding
// skips no block that the box touches there.
const lowestOf = ({ from, to, extent, row }: SweepAxis, part: number): number =>
  to < from ? row : Math.min(firstBlock(from + (to - from) * part, extent), firstBlock(to, extent))
const highestOf = ({ from, to, extent, row }: SweepAxis, part: number): number =>
  to > from ? row : Math.max(lastBlock(from + (to - from) * part, extent), lastBlock(to, extent))

/** The axis that enters a row next; the first of equal ones. */
const nextOf = ({ x, y, z }: Sweep): SweepAxis => {
  if (x.nextAt <= y.nextAt && x.nextAt <= z.nextAt) return x
  return y.nextAt <= z.nextAt ? y : z
}

/** Checks a block. Any result but undefined ends the sweep. */
type BlockCheck<R> = (x: number, y: number, z: number) => R | undefined

/** Checks all blocks of the next row of `axis` that the box touches. */
const enterNext = <R>({ x, y, z }: Sweep, axis: SweepAxis, check: BlockCheck<R>): R | undefined => {
  const part = axis.nextAt
  axis.row += axis.to < axis.from ? -1 : 1
  axis.nextAt = entryOf(axis)
  const xEnd = axis === x ? axis.row : highestOf(x, part)
  const yBegin = axis === y ? axis.row : lowestOf(y, part)
  const yEnd = axis === y ? axis.row : highestOf(y, part)
  const zBegin = axis === z ? axis.row : lowestOf(z, part)
  const zEnd = axis === z ? axis.row : highestOf(z, part)
  for (let atX = axis === x ? axis.row : lowestOf(x, part); atX <= xEnd; atX += 1)
    for (let atZ = zBegin; atZ <= zEnd; atZ += 1)
      for (let atY = yBegin; atY <= yEnd; atY += 1) {
        const answer = check(atX, atY, atZ)
        if (answer !== undefined) return answer
      }
  return undefined
}

/**
 * Moves a box along a straight line and calls `check` for each block that it newly touches, in order. Blocks that it touches at the
 * start are not checked. Returns the first result. Walks from row to row as in Amanatides and Woo, "A fast voxel traversal algorithm
 * for ray tracing" (1987), with a box instead of a ray. The cost is that of the checked blocks.
 */
const sweepBox = <R>(sweep: Sweep, check: BlockCheck<R>): R | undefined => {
  for (let axis = nextOf(sweep); axis.nextAt !== Number.POSITIVE_INFINITY; axis = nextOf(sweep)) {
    const answer = enterNext(sweep, axis, check)
    if (answer !== undefined) return answer
  }
  return undefined
}

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
