import { air } from '../../../../rules/chunks/chunk.ts'
import type { BlockRegistry } from '../../chunks/block-registry.ts'

/** A column in progress: one byte per block, in the order of `y * 256 + z * 16 + x`. */
export type Column = Uint8Array

/** The numbers that represent blocks in a column. Each is an index into `indexes`; equal blocks have equal numbers. */
export const createTerrainBlocks = (registry: BlockRegistry) => {
  const indexes = [air]
  const place = (id: string): number => {
    const index = registry.intern(id)
    const existing = indexes.indexOf(index)
    return existing === -1 ? indexes.push(index) - 1 : existing
  }
  return {
    /** Block indexes of the registry, without duplicates. */
    indexes,
    /** The number of any other block. A block that is not in `blocks.yaml` keeps its id. */
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
