import type { Answer } from '../../../../sdk/admin.ts'
import type { BlockType } from '../../../../sdk/client.ts'

export type ListedKind = Answer<'GET /api/admin/blocks'>['body'][number]

/** Kinds of blocks by index and id. Index 0 is air. */
export type BlockKinds = {
  indexOf(id: string): number
  kindAt(index: number): BlockType
  idAt(index: number): string
  /** The name in `blocks.yaml`; the id of a kind that is not in it. */
  nameOf(id: string): string
  all(): readonly BlockType[]
  /** The kinds that can be placed, in the server's order. */
  readonly listed: readonly ListedKind[]
}

const air: BlockType = { index: 0, id: 'air', colour: 0, solid: false }
/** The look of a world's block that is not in `blocks.yaml`, as in the game. */
const unknownColour = 0xff00ff

/** Calls `onUnknown` for a kind that the server did not list. */
export const createBlockKinds = (listed: readonly ListedKind[], onUnknown: () => void): BlockKinds => {
  const kinds: BlockType[] = [air]
  const indexes = new Map([[air.id, 0]])
  const add = (id: string, colour: number, solid: boolean): number => {
    const index = kinds.push({ index: kinds.length, id, colour, solid }) - 1
    indexes.set(id, index)
    return index
  }
  for (const { id, colour, solid } of listed) add(id, Number.parseInt(colour.slice(1), 16), solid)
  return {
    listed,
    indexOf: (id) => {
      const known = indexes.get(id)
      if (known !== undefined) return known
      const index = add(id, unknownColour, true)
      onUnknown()
      return index
    },
    kindAt: (index) => kinds[index] ?? air,
    idAt: (index) => (kinds[index] ?? air).id,
    nameOf: (id) => listed.find((kind) => kind.id === id)?.name ?? id,
    all: () => kinds,
  }
}
