import type { BlocksConfig } from '../../configs/blocks/blocks-config.ts'
import { type BlockRegistry, createBlockRegistry } from './block-registry.ts'

/** A block of `blocks.yaml` as a registry takes it. */
export const readBlock = (block: BlocksConfig['blocks'][number]) => ({
  ...block,
  colour: Number.parseInt(block.colour.slice(1), 16),
})

/** A registry of the kinds of `blocks.yaml`, in its order. Two of the same config have the same indexes. */
export const registryOf = ({ blocks }: BlocksConfig): BlockRegistry => createBlockRegistry(blocks.map(readBlock))
