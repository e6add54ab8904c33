import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { ChunkRecord } from '../../worlds/store/chunk-store.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** cx, cz and the number of bytes that follow, each in 32 bits, little-endian. */
const headBytes = 12

/** Columns as one compressed text. */
export const packColumns = async (columns: readonly ChunkRecord[]): Promise<string> => {
  const pieces = columns.flatMap(({ cx, cz, bytes }) => {
    const head = Buffer.alloc(headBytes)
    head.writeInt32LE(cx, 0)
    head.writeInt32LE(cz, 4)
    head.writeUInt32LE(bytes.length, 8)
    return [head, bytes]
  })
  return (await deflate(Buffer.concat(pieces))).toString('base64')
}

/** The columns of a text from `packColumns`. Throws for any other text. */
export const unpackColumns = async (text: string): Promise<readonly ChunkRecord[]> => {
  const packed = await inflate(Buffer.from(text, 'base64'))
  const columns: ChunkRecord[] = []
  for (let at = 0; at < packed.length; ) {
    const [cx, cz, length] = [packed.readInt32LE(at), packed.readInt32LE(at + 4), packed.readUInt32LE(at + 8)]
    at += headBytes
    if (at + length > packed.length) throw new RangeError('The part ends in the middle of a column.')
    columns.push({ cx, cz, bytes: packed.subarray(at, at + length) })
    at += length
  }
  return columns
}
