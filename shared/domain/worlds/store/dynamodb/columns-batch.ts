import type { ChunkPos } from '../../../../rules/positions.ts'
import { columnBytes, decodeColumns, encodeColumns } from './column-list.ts'
import { deflatedBytesMax } from './deflate-column.ts'

/** A stored column. */
export type DeflatedColumn = ChunkPos & { readonly deflated: Uint8Array }

const lengthBytes = 4

/**
 * Packs columns one after another, each with its place, length and bytes, into as many parts as needed. Each part fits into an item.
 */
export const packBatch = (columns: readonly DeflatedColumn[]): readonly Uint8Array[] => {
  const parts: Uint8Array[][] = [[]]
  let size = 0
  for (const column of columns) {
    const { deflated } = column
    if (size > 0 && size + deflated.length > deflatedBytesMax) {
      parts.push([])
      size = 0
    }
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt32BE(deflated.length)
    parts.at(-1)?.push(encodeColumns([column]), length, deflated)
    size += columnBytes + lengthBytes + deflated.length
  }
  return parts.map((pieces) => Buffer.concat(pieces))
}

/** The columns of a part from `packBatch`. */
export const unpackPart = (part: Uint8Array): readonly DeflatedColumn[] => {
  const bytes = Buffer.from(part)
  const columns: DeflatedColumn[] = []
  for (let at = 0; at < bytes.length; ) {
    const [place] = decodeColumns(bytes.subarray(at, at + columnBytes))
    const start = at + columnBytes + lengthBytes
    at = start + bytes.readUInt32BE(at + columnBytes)
    if (place !== undefined) columns.push({ ...place, deflated: bytes.subarray(start, at) })
  }
  return columns
}
