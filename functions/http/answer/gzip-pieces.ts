import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'

type Piece = string | Uint8Array

/** Higher levels cost several times as much here, and save little. */
const level = 3

/**
 * Compresses pieces into one gzip stream, no faster than it is read. The output of the first piece leaves at once, without
 * waiting for more input. Compresses in a thread of libuv's pool. Throws errors of `pieces`, and reads no more of them after
 * `return`.
 */
export const gzipPieces = async function* (pieces: AsyncIterable<Piece>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level, chunkSize: 64 * 1024 })
  const feed = async function* (): AsyncGenerator<Piece> {
    let isFirst = true
    for await (const piece of pieces) {
      yield piece
      if (isFirst) gzip.flush(constants.Z_SYNC_FLUSH)
      isFirst = false
    }
  }
  // The loop below throws the same error.
  const feeding = pipeline(feed, gzip).catch(() => undefined)
  try {
    for await (const bytes of gzip) yield bytes
  } finally {
    gzip.destroy()
    await feeding
  }
}
