import { air, type Chunk, entryAt, readSection } from '../../../rules/chunks/chunk.ts'
import { type BlockPos, chunkBlocks } from '../../../rules/positions.ts'

/** The visible block from above: `index` at height `y`, under `depth` blocks of water. */
export type TopBlock = { readonly index: number; readonly y: number; readonly depth: number }

/**
 * The highest block from `y` down that is neither air nor water; undefined if all is air. If there is only water, the water counts as
 * its own floor.
 */
export const findTopBlock = (
  { sections }: Chunk,
  { x, y: cut, z }: BlockPos,
  water: number | undefined,
): TopBlock | undefined => {
  let depth = 0
  let surface = 0
  for (let sectionY = sections.length - 1; sectionY >= 0; sectionY -= 1) {
    const section = sections[sectionY]
    if (section === undefined) continue
    for (let y = Math.min(chunkBlocks - 1, cut - sectionY * chunkBlocks); y >= 0; y -= 1) {
      const index = readSection(section, entryAt(x, y, z))
      if (index === air) continue
      const height = sectionY * chunkBlocks + y
      if (index !== water) return { index, y: depth > 0 ? surface : height, depth }
      if (depth === 0) surface = height
      depth += 1
    }
  }
  return depth > 0 && water !== undefined ? { index: water, y: surface, depth } : undefined
}
