import { air } from '../../../../rules/chunks/chunk.ts'
import type { BlockRegistry } from '../../chunks/block-registry.ts'

/** A column under way: a byte for each block, in the order of `y * 256 + z * 16 + x`. */
export type Column = Uint8Array

/** Numbers that stand for blocks in a column: each a place in `indexes`, and the same for the same block. */
export const createTerrainBlocks = (registry: BlockRegistry) => {
  const indexes = [air]
  const place = (id: string): number => {
    const index = registry.intern(id)
    const known = indexes.indexOf(index)
    return known === -1 ? indexes.push(index) - 1 : known
  }
  return {
    /** Block indexes of the registry, each once. */
    indexes,
    /** The number of any other block; one that `blocks.yaml` does not have keeps its id all the same. */
    place,
    air: 0,
    stone: place('stone'),
    dirt: place('dirt'),
    grass: place('grass'),
    sand: place('sand'),
    red_sand: place('red_sand'),
    sandstone: place('sandstone'),
    gravel: place('gravel'),
    clay: place('clay'),
    bedrock: place('bedrock'),
    water: place('water'),
    lava: place('lava'),
    ice: place('ice'),
    snow: place('snow'),
    oak_log: place('oak_log'),
    oak_leaves: place('oak_leaves'),
    birch_log: place('birch_log'),
    birch_leaves: place('birch_leaves'),
    spruce_log: place('spruce_log'),
    spruce_leaves: place('spruce_leaves'),
    cactus: place('cactus'),
  }
}

export type TerrainBlocks = ReturnType<typeof createTerrainBlocks>
