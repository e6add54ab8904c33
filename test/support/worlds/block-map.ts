import { createBlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { air } from '../../../shared/rules/chunks/chunk.ts'
import { worldHeight } from '../../../shared/rules/positions.ts'

const registry = createBlockRegistry([
  { id: 'stone', name: 'Stone', colour: 0x808080, solid: true },
  { id: 'water', name: 'Water', colour: 0x0000ff, solid: false },
])

export type MapBlock = 'stone' | 'water'

/** Blocks by coordinates in an endless sky; columns that `isLoaded` denies are not in memory. `reads` counts the reads. */
export const createBlockMap = (
  blocks: readonly (readonly [x: number, y: number, z: number, block?: MapBlock])[],
  isLoaded: (cx: number, cz: number) => boolean = () => true,
) => {
  const byPlace = new Map(blocks.map(([x, y, z, block = 'stone']) => [`${x} ${y} ${z}`, registry.intern(block)]))
  const map = {
    reads: 0,
    registry,
    loaded: {
      blockAt: (x: number, y: number, z: number): number | undefined => {
        map.reads += 1
        // As in the memory of a node, a column that is not loaded is unknown at every height.
        if (!isLoaded(Math.floor(x / 16), Math.floor(z / 16))) return undefined
        return y >= 0 && y < worldHeight ? (byPlace.get(`${x} ${y} ${z}`) ?? air) : air
      },
    },
  }
  return map
}
