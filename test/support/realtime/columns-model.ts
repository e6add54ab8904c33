import type { ServerMessageKind } from '../../../realtime/protocol/messages.ts'
import { type Chunk, createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { chunkKey, chunkPosOf } from '../../../shared/rules/positions.ts'

/** The world as a client knows it from its messages; block indexes are those of the wire. */
export type ColumnsModel = {
  apply(message: ServerMessageKind): void
  readonly columns: ReadonlyMap<number, Chunk>
  /** `cx,cz` of all columns, sorted. */
  list(): string[]
}

/** A client that throws on messages that it cannot apply. */
export const createColumnsModel = (indexOf: (id: string) => number): ColumnsModel => {
  const columns = new Map<number, Chunk>()
  return {
    columns,
    apply: ({ $case, value }) => {
      if ($case === 'chunk') {
        const chunk = createChunk(value.cx, value.cz)
        for (const { y, palette, bits, data } of value.sections)
          chunk.sections[y] = { palette: [...palette], bits: bits as 0 | 1 | 2 | 4 | 8 | 16, data: Uint8Array.from(data) }
        columns.set(chunkKey(value.cx, value.cz), chunk)
      } else if ($case === 'chunkGone') {
        if (!columns.delete(chunkKey(value.cx, value.cz))) throw new Error(`${value.cx},${value.cz} is gone but never came`)
      } else if ($case === 'blocksChanged') {
        for (const { x, y, z, type } of value.edits) {
          const chunk = columns.get(chunkKey(x >> 4, z >> 4))
          if (chunk === undefined) throw new Error(`a block of ${x >> 4},${z >> 4}, which was never sent`)
          setBlock(chunk, { x, y, z }, indexOf(type))
        }
      }
    },
    list: () =>
      [...columns.keys()]
        .map(chunkPosOf)
        .map(({ cx, cz }) => `${cx},${cz}`)
        .sort(),
  }
}
