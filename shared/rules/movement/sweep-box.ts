import { type Extent, firstBlock, lastBlock } from './body-extent.ts'

/** One axis of a moving box, and the row of blocks that its front has reached. */
export type SweepAxis = {
  readonly from: number
  readonly to: number
  readonly extent: Extent
  readonly lastRow: number
  row: number
  /** When the front enters the next row, as a fraction of the way; infinite if it enters none. */
  nextAt: number
}

/** A box that moves through blocks. Use it for one sweep. */
export type Sweep = { readonly x: SweepAxis; readonly y: SweepAxis; readonly z: SweepAxis }

const entryOf = ({ from, to, extent, row, lastRow }: SweepAxis): number => {
  if (row === lastRow) return Number.POSITIVE_INFINITY
  const border = to < from ? row - extent.below : row + 1 - extent.above
  return (border - from) / (to - from)
}

/** An axis of a box that moves straight. */
export const createSweepAxis = (from: number, to: number, extent: Extent): SweepAxis => {
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
export type BlockCheck<R> = (x: number, y: number, z: number) => R | undefined

/** Checks all blocks that the box touches in the row that `axis` enters next. */
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
export const sweepBox = <R>(sweep: Sweep, check: BlockCheck<R>): R | undefined => {
  for (let axis = nextOf(sweep); axis.nextAt !== Number.POSITIVE_INFINITY; axis = nextOf(sweep)) {
    const answer = enterNext(sweep, axis, check)
    if (answer !== undefined) return answer
  }
  return undefined
}
