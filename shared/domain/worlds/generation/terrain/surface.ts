import type { BlockRegistry } from '../../chunks/block-registry.ts'
import type { WorldgenConfig } from '../worldgen-config.ts'
import type { Caves } from './caves.ts'
import { findCaveTop, findLowestGround } from './column-fill.ts'
import { createGround, type ReadGround } from './ground.ts'
import { latticeBlocks } from './interpolate.ts'
import { createLandLattice } from './land-lattice.ts'
import type { LandShape } from './land-shape.ts'

type SurfaceDeps = {
  readonly settings: WorldgenConfig
  readonly registry: BlockRegistry
  readonly shape: LandShape
  readonly readGround: ReadGround
  readonly caves: Caves
}

/** The corners of one cell and of the cells around it. */
const points = 4

/** The height of the highest solid block without plants: the ice on frozen water, the bottom of an open cave. */
export const createSurface = ({ settings: { seaLevel }, registry, shape, readGround, caves }: SurfaceDeps) => {
  const lattice = createLandLattice(shape, points)
  const ground = createGround()
  let lastX = Number.NaN
  let lastZ = Number.NaN

  return (x: number, z: number): number => {
    const cellX = Math.floor(x / latticeBlocks)
    const cellZ = Math.floor(z / latticeBlocks)
    if (cellX !== lastX || cellZ !== lastZ) lattice.move((cellX - 1) * latticeBlocks, (cellZ - 1) * latticeBlocks)
    lastX = cellX
    lastZ = cellZ
    readGround(lattice, x, z, ground)
    let { y } = ground
    if (y < seaLevel) return ground.isFrozen && registry.isSolid(registry.intern('ice')) ? seaLevel : y
    const caveTop = findCaveTop(ground, findLowestGround(lattice, x, z), seaLevel)
    while (y <= caveTop && caves.isHollow(x, y, z)) y -= 1
    return y
  }
}
