import type { BlocksConfig } from '../blocks-config.ts'

/** A kind of block as clients know it. `colour` is 0xRRGGBB. */
export type BlockType = {
  readonly index: number
  readonly id: string
  readonly name: string
  readonly colour: number
  readonly solid: boolean
}

type NewBlockType = Omit<BlockType, 'index'>

/** The kinds of blocks by index and id. Indexes are this process's own and never change: on disk stand ids. */
export type BlockRegistry = {
  /** Those that clients are told of: air, the placeholder, `blocks.yaml` in its order, then what was added since. Indexes may have gaps. */
  listTypes(): readonly BlockType[]
  /** One that a player may place or break into: of `blocks.yaml`, or air. */
  find(id: string): BlockType | undefined
  /** The index of an id read from disk; an unknown id gets one of its own, so that it survives a load and a save. */
  intern(id: string): number
  idOf(index: number): string
  /** The index of an id that this process knows from anywhere, of a block that is in no `blocks.yaml` any more too. */
  indexOf(id: string): number | undefined
  isSolid(index: number): boolean
  /** The index by which clients know it: the placeholder's for an unknown id. */
  wireIndex(index: number): number
  /** What clients see: the placeholder for an unknown id. */
  typeOf(index: number): BlockType
  /** Adds blocks and changes those of the same id; others stay. An unknown id becomes known under the index that it has. */
  merge(blocks: readonly NewBlockType[]): void
}

/** What clients see where a block's id is in no `blocks.yaml`. */
export const placeholder: NewBlockType = { id: 'unknown', name: 'Unknown block', colour: 0xff00ff, solid: true }

/** What a broken block becomes. */
export const airBlock: NewBlockType = { id: 'air', name: 'Air', colour: 0x000000, solid: false }
const placeholderIndex = 1

/** A registry of these kinds besides air (index 0) and the placeholder (index 1). */
export const createBlockRegistry = (blocks: readonly NewBlockType[]): BlockRegistry => {
  const ids: string[] = []
  const indexes = new Map<string, number>()
  const solid: boolean[] = []
  const types = new Map<number, BlockType>()

  const intern = (id: string): number => {
    const known = indexes.get(id)
    if (known !== undefined) return known
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

/** The index to restore a block of the history to. A kind that has left `blocks.yaml` is restored too. Undefined for the placeholder: what it stood for is not known. */
export const findRestored = (registry: Pick<BlockRegistry, 'intern'>, id: string): number | undefined =>
  id === placeholder.id ? undefined : registry.intern(id)

/** A block of `blocks.yaml` as a registry takes it. */
export const readBlock = (block: BlocksConfig['blocks'][number]) => ({
  ...block,
  colour: Number.parseInt(block.colour.slice(1), 16),
})

/** A registry of the kinds of `blocks.yaml`, in its order. Two of the same config have the same indexes. */
export const registryOf = ({ blocks }: BlocksConfig): BlockRegistry => createBlockRegistry(blocks.map(readBlock))
