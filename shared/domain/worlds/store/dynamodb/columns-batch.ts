import type { ChunkPos } from '../../../../rules/positions.ts'
import { deflatedBytesMax } from './deflate-column.ts'
import { decodePlaces, encodePlaces, placeBytes } from './places.ts'

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
    parts.at(-1)?.push(encodePlaces([column]), length, deflated)
    size += placeBytes + lengthBytes + deflated.length
  }
  return parts.map((pieces) => Buffer.concat(pieces))
}

/** The columns of a part from `packBatch`. */
export const unpackPart = (part: Uint8Array): readonly DeflatedColumn[] => {
  const bytes = Buffer.from(part)
  const columns: DeflatedColumn[] = []
  for (let at = 0; at < bytes.length; ) {
    const [place] = decodePlaces(bytes.subarray(at, at + placeBytes))
    const start = at + placeBytes + lengthBytes
    at = start + bytes.readUInt32BE(at + placeBytes)
    if (place !== undefined) columns.push({ ...place, deflated: bytes.subarray(start, at) })
  }
  return columns
}
