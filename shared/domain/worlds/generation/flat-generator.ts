import { air, createChunk, type Section, sectionSize } from '../../../rules/chunks/chunk.ts'
import { chunkBlocks, sectionsPerChunk, worldHeight } from '../../../rules/positions.ts'
import type { BlockRegistry } from '../chunks/block-registry.ts'
import { createSectionPacker } from '../chunks/compress-chunk.ts'
import type { Generator } from './generator.ts'
import type { WorldgenConfig } from './worldgen-config.ts'

type Layers = WorldgenConfig['flat']['layers']

const layerSize = chunkBlocks * chunkBlocks

/** The block index at each height. */
const stackLayers = (layers: Layers, registry: BlockRegistry): number[] => {
  const stack = layers.flatMap(({ block, height }) => Array.from({ length: height }, () => registry.intern(block)))
  return Array.from({ length: worldHeight }, (_, y) => stack[y] ?? air)
}

const packLayers = (layers: readonly number[]): Section | undefined => {
  const indexes = [...new Set(layers)]
  const blocks = new Uint8Array(sectionSize)
  for (const [y, index] of layers.entries()) blocks.fill(indexes.indexOf(index), y * layerSize, (y + 1) * layerSize)
  return createSectionPacker({ blocks, indexes })(0)
}

/** `flat-1`: the layers of the settings everywhere, regardless of the seed. Layers above the top of the world are cut off. */
export const createFlatGenerator = ({ flat }: Pick<WorldgenConfig, 'flat'>, registry: BlockRegistry): Generator => {
  const stack = stackLayers(flat.layers, registry)
  const sections = Array.from({ length: sectionsPerChunk }, (_, section) =>
    packLayers(stack.slice(section * chunkBlocks, (section + 1) * chunkBlocks)),
  )
  const surface = stack.findLastIndex((index) => registry.isSolid(index))

  return {
    generate: (cx, cz) => {
      const chunk = createChunk(cx, cz)
      for (const [y, section] of sections.entries())
        chunk.sections[y] = section && (section.bits === 0 ? section : { ...section, data: section.data.slice() })
      return chunk
    },
    surfaceAt: () => Math.max(0, surface),
    seaLevel: 0,
  }
}
