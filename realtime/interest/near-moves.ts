import type { Body, Cell } from './cell.ts'
import { cellCoordinate } from './cell.ts'
import type { Cells } from './cells.ts'

/** Beyond this distance, 10 updates per second look the same as 20. */
const nearBlocks = 16

const movedNear = (cell: Cell | undefined, { x, z, ref }: Body, tick: number): boolean =>
  cell !== undefined &&
  cell.movedTick === tick &&
  cell.bodies.some(
    (other) =>
      other.movedTick === tick && Math.abs(other.x - x) < nearBlocks && Math.abs(other.z - z) < nearBlocks && other.ref !== ref,
  )

/** Whether another body less than 16 blocks away horizontally moved in this tick. `cell` is the cell of `body`. */
export const hasNearMoves = (cells: Cells, cell: Cell, body: Body, tick: number): boolean => {
  if (movedNear(cell, body, tick)) return true
  const [firstX, lastX] = [cellCoordinate(body.x - nearBlocks), cellCoordinate(body.x + nearBlocks)]
  const [firstZ, lastZ] = [cellCoordinate(body.z - nearBlocks), cellCoordinate(body.z + nearBlocks)]
  for (let x = firstX; x <= lastX; x += 1)
    for (let z = firstZ; z <= lastZ; z += 1)
      if ((x !== cell.x || z !== cell.z) && movedNear(cells.find(x, z), body, tick)) return true
  return false
}
