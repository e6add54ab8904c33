/** A kind of block as clients know it. `colour` is 0xRRGGBB. */
export type BlockType = {
  readonly index: number
  readonly id: string
  readonly name: string
  readonly colour: number
  readonly solid: boolean
}

/** The kinds of blocks by index and id. Indexes are this process's own: on disk stand ids. */
export type BlockRegistry = {
  /** Those that clients are told of, by index: air, the placeholder, then `blocks.yaml` in its order. */
  readonly types: readonly BlockType[]
  /** One that a player may place or break into: of `blocks.yaml`, or air. */
  find(id: string): BlockType | undefined
  /** The index of an id read from disk; an unknown id gets one of its own, so that it survives a load and a save. */
  intern(id: string): number
  idOf(index: number): string
  isSolid(index: number): boolean
  /** The index by which clients know it: the placeholder's for an unknown id. */
  wireIndex(index: number): number
}

/** What clients see where a block's id is in no `blocks.yaml`. */
export const placeholder: Omit<BlockType, 'index'> = { id: 'unknown', name: 'Unknown block', colour: 0xff00ff, solid: true }

/** What a broken block becomes. */
export const airBlock: Omit<BlockType, 'index'> = { id: 'air', name: 'Air', colour: 0x000000, solid: false }
const placeholderIndex = 1

/** A registry of these kinds besides air (index 0) and the placeholder (index 1). */
export const createBlockRegistry = (blocks: readonly Omit<BlockType, 'index'>[]): BlockRegistry => {
  const types = [airBlock, placeholder, ...blocks].map((type, index) => ({ ...type, index }))
  const ids = types.map(({ id }) => id)
  const byId = new Map(types.map((type) => [type.id, type]))
  const indexes = new Map(ids.map((id, index) => [id, index]))
  const solid = types.map((type) => type.solid)
  return {
    types,
    find: (id) => (id === placeholder.id ? undefined : byId.get(id)),
    intern: (id) => {
      const known = indexes.get(id)
      if (known !== undefined) return known
      const index = ids.push(id) - 1
      indexes.set(id, index)
      return index
    },
    idOf: (index) => ids[index] ?? airBlock.id,
    isSolid: (index) => solid[index] ?? placeholder.solid,
    wireIndex: (index) => (index < types.length ? index : placeholderIndex),
  }
}
