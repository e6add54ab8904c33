import type { WorldgenConfig } from '../configs/worldgen-config.ts'
import type { BlockRegistry } from './block-registry.ts'
import { air, type Chunk, createChunk } from './chunk.ts'
import type { Generator } from './generator.ts'
import { createSectionPacker } from './pack-section.ts'
import { chunkBlocks, sectionsPerChunk, worldHeight } from './positions.ts'

type Layers = WorldgenConfig['flat']['layers']

/** The block index at each height. */
const stackLayers = (layers: Layers, registry: BlockRegistry): Uint16Array => {
  const column = new Uint16Array(worldHeight).fill(air)
  let y = 0
  for (const { block, height } of layers) {
    column.fill(registry.intern(block), y, y + height)
    y += height
  }
  return column
}

/** `flat-1`: the layers of the settings everywhere, whatever the seed; what is above the top of the world is left out. */
export const createFlatGenerator = ({ flat }: Pick<WorldgenConfig, 'flat'>, registry: BlockRegistry): Generator => {
  const column = stackLayers(flat.layers, registry)
  const surface = Math.max(
    0,
    column.findLastIndex((index) => registry.isSolid(index)),
  )
  const pack = createSectionPacker()
  const blocks = new Uint16Array(chunkBlocks ** 3)
  const packAt = (section: number) => {
    for (let y = 0; y < chunkBlocks; y += 1)
      blocks.fill(column[section * chunkBlocks + y] ?? air, y * chunkBlocks ** 2, (y + 1) * chunkBlocks ** 2)
    return pack(blocks)
  }

  return {
    generate: (cx, cz): Chunk => {
      const chunk = createChunk(cx, cz)
      for (let section = 0; section < sectionsPerChunk; section += 1) chunk.sections[section] = packAt(section)
      return chunk
    },
    surfaceAt: () => surface,
  }
}
