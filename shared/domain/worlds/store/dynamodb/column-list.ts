import { type ChunkPos, chunkKey, chunkPosOf } from '../../../../rules/positions.ts'

/** The number of bytes of one column. */
export const columnBytes = 6

/** Columns as six bytes each. */
export const encodeColumns = (columns: readonly ChunkPos[]): Uint8Array => {
  const bytes = Buffer.alloc(columns.length * columnBytes)
  for (const [at, { cx, cz }] of columns.entries()) bytes.writeUIntBE(chunkKey(cx, cz), at * columnBytes, columnBytes)
  return bytes
}

/** The columns that `encodeColumns` encoded. */
export const decodeColumns = (encoded: Uint8Array): readonly ChunkPos[] => {
  const bytes = Buffer.from(encoded)
  return Array.from({ length: bytes.length / columnBytes }, (_, at) =>
    chunkPosOf(bytes.readUIntBE(at * columnBytes, columnBytes)),
  )
}
