import { type ChunkPos, chunkKey, chunkPosOf } from '../../../../rules/positions.ts'

/** The number of bytes of one place. */
export const placeBytes = 6

/** Columns as six bytes each. */
export const encodePlaces = (places: readonly ChunkPos[]): Uint8Array => {
  const bytes = Buffer.alloc(places.length * placeBytes)
  for (const [at, { cx, cz }] of places.entries()) bytes.writeUIntBE(chunkKey(cx, cz), at * placeBytes, placeBytes)
  return bytes
}

/** The places that `encodePlaces` encoded. */
export const decodePlaces = (encoded: Uint8Array): readonly ChunkPos[] => {
  const bytes = Buffer.from(encoded)
  return Array.from({ length: bytes.length / placeBytes }, (_, at) => chunkPosOf(bytes.readUIntBE(at * placeBytes, placeBytes)))
}
