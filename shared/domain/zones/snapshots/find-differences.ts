import { air, type Chunk, entryAt, readSection, type Section } from '../../../rules/chunks/chunk.ts'
import { type BlockPos, chunkBlocks } from '../../../rules/positions.ts'

/** A block in world coordinates, and its wanted index. */
export type Difference = BlockPos & { readonly index: number }

const indexAt = (section: Section | undefined, entry: number): number =>
  section === undefined ? air : readSection(section, entry)

/** Whether both are certainly equal. Sections with palettes in a different order are compared block by block. */
const isSame = (one: Section | undefined, other: Section | undefined): boolean => {
  if (one === undefined || other === undefined) return one === other
  if (one.bits !== other.bits || one.palette.length !== other.palette.length) return false
  return one.palette.every((index, place) => index === other.palette[place]) && Buffer.compare(one.data, other.data) === 0
}

/** The changes that make `current` equal to `target` at these heights, both included. Both columns use the same registry. */
export const findDifferences = (
  current: Chunk,
  target: Chunk,
  { yMin, yMax }: { readonly yMin: number; readonly yMax: number },
): readonly Difference[] => {
  const differences: Difference[] = []
  const [x0, z0] = [target.cx * chunkBlocks, target.cz * chunkBlocks]
  for (let sectionY = yMin >> 4; sectionY <= yMax >> 4; sectionY += 1) {
    const [now, then] = [current.sections[sectionY], target.sections[sectionY]]
    if (isSame(now, then)) continue
    const bottom = sectionY * chunkBlocks
    for (let y = Math.max(bottom, yMin); y <= Math.min(bottom + chunkBlocks - 1, yMax); y += 1)
      for (let place = 0; place < chunkBlocks * chunkBlocks; place += 1) {
        const [x, z] = [place & 15, place >> 4]
        const index = indexAt(then, entryAt(x, y, z))
        if (indexAt(now, entryAt(x, y, z)) !== index) differences.push({ x: x0 + x, y, z: z0 + z, index })
      }
  }
  return differences
}
