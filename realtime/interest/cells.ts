import { chunkKey } from '../../shared/rules/positions.ts'
import type { Body } from './cell.ts'
import { type Cell, cellCoordinate, cellDistance, createCell } from './cell.ts'

/** The occupied cells of the world, and the occupied cells in view of each. */
export type Cells = {
  find(x: number, z: number): Cell | undefined
  /** Moves a body to the cell of its position. */
  place(body: Body): void
  /** Removes a body from the world. */
  remove(body: Body): void
  /**
   * The indexes of occupied cells within `radius` of `cell`, including the cell, unordered. The list stays up to date. Do not
   * change it.
   */
  listNear(cell: Cell, radius: number): readonly number[]
  at(index: number): Cell
  /** The bodies in the cell of this position and in the neighbouring cells. */
  bodiesNear(x: number, z: number): Iterable<Body>
  /** The number of bodies in each cell, by index. */
  populations(): Int32Array
}

const removeFrom = (list: number[], index: number): void => {
  const last = list.pop()
  if (last === undefined || last === index) return
  const at = list.indexOf(index)
  if (at >= 0) list[at] = last
}

/** Starts without occupied cells. */
export const createCells = (): Cells => {
  const cells = new Map<number, Cell>()
  const byIndex: Cell[] = []
  const freeIndexes: number[] = []
  let populations = new Int32Array(1024)
  // The largest radius that was ever used. No list is larger.
  let reach = 0

  const forEachWithin = (cell: Cell, radius: number, visit: (other: Cell) => void): void => {
    for (let x = cell.x - radius; x <= cell.x + radius; x += 1)
      for (let z = cell.z - radius; z <= cell.z + radius; z += 1) {
        const other = cells.get(chunkKey(x, z))
        if (other !== undefined) visit(other)
      }
  }

  const occupy = (x: number, z: number): Cell => {
    const cell = createCell(freeIndexes.pop() ?? byIndex.length, x, z)
    byIndex[cell.index] = cell
    if (cell.index >= populations.length) {
      const larger = new Int32Array(populations.length * 2)
      larger.set(populations)
      populations = larger
    }
    forEachWithin(cell, reach, (other) => {
      for (let radius = cellDistance(cell, other); radius <= reach; radius += 1) other.near[radius]?.push(cell.index)
    })
    cells.set(chunkKey(x, z), cell)
    return cell
  }

  const vacate = (cell: Cell): void => {
    cells.delete(chunkKey(cell.x, cell.z))
    freeIndexes.push(cell.index)
    forEachWithin(cell, reach, (other) => {
      for (let radius = cellDistance(cell, other); radius <= reach; radius += 1) {
        const list = other.near[radius]
        if (list !== undefined) removeFrom(list, cell.index)
      }
    })
  }

  const remove = (body: Body): void => {
    const { cell } = body
    if (cell === undefined) return
    body.cell = undefined
    const last = cell.bodies.pop()
    if (last !== undefined && last !== body) {
      cell.bodies[body.slot] = last
      last.slot = body.slot
    }
    populations[cell.index] = cell.bodies.length
    if (cell.bodies.length === 0) vacate(cell)
  }

  return {
    find: (x, z) => cells.get(chunkKey(x, z)),
    place: (body) => {
      const x = cellCoordinate(body.x)
      const z = cellCoordinate(body.z)
      if (body.cell?.x === x && body.cell.z === z) return
      remove(body)
      const cell = cells.get(chunkKey(x, z)) ?? occupy(x, z)
      body.cell = cell
      body.slot = cell.bodies.push(body) - 1
      populations[cell.index] = cell.bodies.length
    },
    remove,
    at: (index) => {
      const cell = byIndex[index]
      if (cell === undefined) throw new RangeError('No cell has that index.')
      return cell
    },
    bodiesNear: function* (x, z) {
      const [cellX, cellZ] = [cellCoordinate(x), cellCoordinate(z)]
      for (let nearX = cellX - 1; nearX <= cellX + 1; nearX += 1)
        for (let nearZ = cellZ - 1; nearZ <= cellZ + 1; nearZ += 1) yield* cells.get(chunkKey(nearX, nearZ))?.bodies ?? []
    },
    populations: () => populations,
    listNear: (cell, radius) => {
      const known = cell.near[radius]
      if (known !== undefined) return known
      reach = Math.max(reach, radius)
      const list: number[] = []
      forEachWithin(cell, radius, (other) => {
        list.push(other.index)
      })
      cell.near[radius] = list
      return list
    },
  }
}
