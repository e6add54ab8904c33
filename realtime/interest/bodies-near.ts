import type { Body } from './body.ts'
import { cellCoordinate } from './cell.ts'
import type { Cells } from './cells.ts'

/** All bodies within so many blocks of a place along x and z, and some that are a little further away. */
export const listBodiesNear = function* (
  cells: Pick<Cells, 'find'>,
  { x, z }: { readonly x: number; readonly z: number },
  blocks: number,
): Generator<Body> {
  for (let cellX = cellCoordinate(x - blocks); cellX <= cellCoordinate(x + blocks); cellX += 1)
    for (let cellZ = cellCoordinate(z - blocks); cellZ <= cellCoordinate(z + blocks); cellZ += 1)
      yield* cells.find(cellX, cellZ)?.bodies ?? []
}
