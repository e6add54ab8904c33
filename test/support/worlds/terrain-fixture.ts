import { createBlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { Generator } from '../../../shared/domain/worlds/generation/generator.ts'
import { createGenerator } from '../../../shared/domain/worlds/generation/generators.ts'
import { air, type Chunk, getBlock } from '../../../shared/rules/chunks/chunk.ts'
import { chunkKey } from '../../../shared/rules/positions.ts'

const liquids = ['water', 'lava']
const ids = [
  ...['stone', 'dirt', 'grass', 'sand', 'red_sand', 'sandstone', 'gravel', 'clay', 'bedrock', 'water', 'lava', 'ice', 'snow'],
  ...['coal_ore', 'iron_ore', 'gold_ore', 'diamond_ore', 'oak_log', 'oak_leaves', 'birch_log', 'birch_leaves'],
  ...['spruce_log', 'spruce_leaves', 'cactus'],
]

/** A `terrain-1` with its own registry, and helpers to read its columns. */
export const createTerrain = (seed: number, settings: object = {}) => {
  const registry = createBlockRegistry(ids.map((id) => ({ id, name: id, colour: 0x808080, solid: !liquids.includes(id) })))
  const generator: Generator = createGenerator({ version: 'terrain-1', seed, settings, registry })
  const columns = new Map<number, Chunk>()
  const columnOf = (cx: number, cz: number): Chunk => {
    const key = chunkKey(cx, cz)
    const chunk = columns.get(key) ?? generator.generate(cx, cz)
    columns.set(key, chunk)
    return chunk
  }
  return {
    registry,
    generator,
    /** The id of a block in the world; columns are generated on the first read. */
    idAt: (x: number, y: number, z: number): string => registry.idOf(getBlock(columnOf(x >> 4, z >> 4), x, y, z)),
    isAir: (x: number, y: number, z: number): boolean => getBlock(columnOf(x >> 4, z >> 4), x, y, z) === air,
  }
}

/** Each position of the plane in a square of columns. */
export function* eachPlace(cx: number, cz: number, columns: number): Iterable<{ x: number; z: number }> {
  for (let z = cz * 16; z < (cz + columns) * 16; z += 1) for (let x = cx * 16; x < (cx + columns) * 16; x += 1) yield { x, z }
}
