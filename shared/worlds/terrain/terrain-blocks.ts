import type { BlockRegistry } from '../block-registry.ts'
import { air } from '../chunk.ts'

/** Finds them in a registry; one that `blocks.yaml` does not have keeps its id all the same. */
export const internTerrainBlocks = (registry: BlockRegistry) => ({
  air,
  stone: registry.intern('stone'),
  dirt: registry.intern('dirt'),
  grass: registry.intern('grass'),
  sand: registry.intern('sand'),
  red_sand: registry.intern('red_sand'),
  sandstone: registry.intern('sandstone'),
  gravel: registry.intern('gravel'),
  clay: registry.intern('clay'),
  bedrock: registry.intern('bedrock'),
  water: registry.intern('water'),
  lava: registry.intern('lava'),
  ice: registry.intern('ice'),
  snow: registry.intern('snow'),
  oak_log: registry.intern('oak_log'),
  oak_leaves: registry.intern('oak_leaves'),
  birch_log: registry.intern('birch_log'),
  birch_leaves: registry.intern('birch_leaves'),
  spruce_log: registry.intern('spruce_log'),
  spruce_leaves: registry.intern('spruce_leaves'),
  cactus: registry.intern('cactus'),
})

/** The block indexes that terrain is made of, by id. */
export type TerrainBlocks = ReturnType<typeof internTerrainBlocks>
