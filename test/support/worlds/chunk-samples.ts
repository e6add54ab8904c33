import { type BlockRegistry, createBlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { type Chunk, createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'

/** A registry of these ids, all solid except water, after air (0) and the placeholder (1). */
export const createSampleRegistry = (ids: readonly string[]): BlockRegistry =>
  createBlockRegistry(ids.map((id, place) => ({ id, name: id.toUpperCase(), colour: place * 257, solid: id !== 'water' })))

/** A column of stone up to 30, soil, some ore and a tower; `indexes` are those of stone, soil, ore and tower. */
export const createSampleChunk = (
  cx: number,
  cz: number,
  indexes: readonly [number, number, number, number] = [2, 3, 4, 5],
): Chunk => {
  const chunk = createChunk(cx, cz)
  const [stone, soil, ore, tower] = indexes
  for (let x = 0; x < 16; x += 1)
    for (let z = 0; z < 16; z += 1) {
      for (let y = 0; y <= 30; y += 1) setBlock(chunk, { x, y, z }, (x * 7 + y * 3 + z * 5) % 31 === 0 ? ore : stone)
      for (let y = 31; y <= 33 + (x & 3); y += 1) setBlock(chunk, { x, y, z }, soil)
    }
  for (let y = 34; y < 120; y += 1) setBlock(chunk, { x: 8, y, z: 8 }, tower)
  return chunk
}

/** The block indexes of a column by `y * 256 + z * 16 + x`. */
export const listBlocks = (chunk: Chunk, blockAt: (chunk: Chunk, x: number, y: number, z: number) => number): Uint16Array =>
  Uint16Array.from({ length: 65_536 }, (_, at) => blockAt(chunk, at & 15, at >> 8, (at >> 4) & 15))
