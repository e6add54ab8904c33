import type { Body, Cell } from './cell.ts'
import { cellCoordinate } from './cell.ts'
import type { MoveWindow } from './cell-moves.ts'
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

/** In cells: moves up to this distance are sent in every tick, and up to the second one in every second tick. */
const nearestCells = 1
const halfRateCells = 2

/** The window of moves of `cell` to send in this tick, or undefined if the cell is not due. It is equal for all viewers. */
export const crowdedWindow = (cell: Cell, from: Cell, tick: number): MoveWindow | undefined => {
  const distance = Math.max(Math.abs(cell.x - from.x), Math.abs(cell.z - from.z))
  if (distance <= nearestCells) return 0
  const turn = tick + cell.x + cell.z * 3
  if (distance <= halfRateCells) return (turn & 1) === 0 ? 1 : undefined
  return (turn & 3) === 0 ? 2 : undefined
}
