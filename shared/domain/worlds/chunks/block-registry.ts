import type { BlocksConfig } from '../blocks-config.ts'

/** A kind of block as sent to clients. `colour` is 0xRRGGBB. */
export type BlockType = {
  readonly index: number
  readonly id: string
  readonly name: string
  readonly colour: number
  readonly solid: boolean
}

type NewBlockType = Omit<BlockType, 'index'>

/** The kinds of blocks by index and id. Indexes are local to this process and never change. Stored worlds use ids. */
export type BlockRegistry = {
  /**
   * The kinds that are sent to clients: air, the placeholder, `blocks.yaml` in its order, then later additions. Indexes may have gaps.
   */
  listTypes(): readonly BlockType[]
  /** A kind that a player may place: one of `blocks.yaml`, or air. */
  find(id: string): BlockType | undefined
  /** The index of an id read from disk. An unknown id gets its own index, so that saving keeps it. */
  intern(id: string): number
  idOf(index: number): string
  /** The index of any id seen by this process, including ids that are no longer in `blocks.yaml`. */
  indexOf(id: string): number | undefined
  isSolid(index: number): boolean
  /** The index that clients use: for an unknown id that of the placeholder. */
  wireIndex(index: number): number
  /** The kind that clients see: for an unknown id the placeholder. */
  typeOf(index: number): BlockType
  /** Adds kinds, and replaces those with the same id. An unknown id keeps its index. */
  merge(blocks: readonly NewBlockType[]): void
}

/** Shown to clients for ids that are not in `blocks.yaml`. */
export const placeholder: NewBlockType = { id: 'unknown', name: 'Unknown block', colour: 0xff00ff, solid: true }

/** Replaces a broken block. */
export const airBlock: NewBlockType = { id: 'air', name: 'Air', colour: 0x000000, solid: false }
const placeholderIndex = 1

/** A registry of these kinds, with air (index 0) and the placeholder (index 1). */
export const createBlockRegistry = (blocks: readonly NewBlockType[]): BlockRegistry => {
  const ids: string[] = []
  const indexes = new Map<string, number>()
  const solid: boolean[] = []
  const types = new Map<number, BlockType>()

  const intern = (id: string): number => {
    const existing = indexes.get(id)
    if (existing !== undefined) return existing
    const index = ids.push(id) - 1
    indexes.set(id, index)
    solid.push(placeholder.solid)
    return index
  }
  const merge = (changed: readonly NewBlockType[]): void => {
    for (const type of changed) {
      const index = intern(type.id)
      types.set(index, { ...type, index })
      solid[index] = type.solid
    }
  }
  merge([airBlock, placeholder, ...blocks])
  const unknown: BlockType = { ...placeholder, index: placeholderIndex }

  return {
    listTypes: () => [...types.values()],
    find: (id) => {
      const index = id === placeholder.id ? undefined : indexes.get(id)
      return index === undefined ? undefined : types.get(index)
    },
    intern,
    indexOf: (id) => indexes.get(id),
    idOf: (index) => ids[index] ?? airBlock.id,
    isSolid: (index) => solid[index] ?? placeholder.solid,
    wireIndex: (index) => (types.has(index) ? index : placeholderIndex),
    typeOf: (index) => types.get(index) ?? unknown,
    merge,
  }
}

/**
 * The index for restoring a block of the history. Includes kinds that are no longer in `blocks.yaml`. Undefined for the placeholder,
 * because the original kind is unknown.
 */
export const findRestored = (registry: Pick<BlockRegistry, 'intern'>, id: string): number | undefined =>
  id === placeholder.id ? undefined : registry.intern(id)

/** Converts a block of `blocks.yaml` for a registry. */
export const readBlock = (block: BlocksConfig['blocks'][number]) => ({
  ...block,
  colour: Number.parseInt(block.colour.slice(1), 16),
})

/** A registry of the kinds of `blocks.yaml`, in its order. Equal configs have equal indexes. */
export const registryOf = ({ blocks }: BlocksConfig): BlockRegistry => createBlockRegistry(blocks.map(readBlock))
