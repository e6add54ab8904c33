import { createHash } from 'node:crypto'
import type { ChunkRecord } from '../store/chunk-store.ts'
import { type WorldFileHeader, worldFile } from './world-file.ts'

const columnHead = ({ cx, cz, bytes }: ChunkRecord): Buffer => {
  const head = Buffer.alloc(worldFile.columnHeadBytes)
  head.writeUInt32LE(bytes.length, 0)
  head.writeInt32LE(cx, 4)
  head.writeInt32LE(cz, 8)
  return head
}

const headerOf = (header: WorldFileHeader): Buffer => {
  const json = Buffer.from(JSON.stringify(header), 'utf8')
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return Buffer.concat([Buffer.from(worldFile.magic, 'latin1'), length, json])
}

const footerOf = (count: number): Buffer => {
  const footer = Buffer.alloc(4 + worldFile.countBytes)
  footer.writeBigUInt64LE(BigInt(count), 4)
  return footer
}

/** The header of an exported world, and its columns by cx, then cz. */
export type WorldFileContents = { readonly header: WorldFileHeader; readonly records: AsyncIterable<ChunkRecord> }

/**
 * The bytes of an exported world before gzip, in one piece per column. The file is complete with the last piece. Throws errors of
 * `records`.
 */
export async function* layOutWorld({ header, records }: WorldFileContents): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const hashed = (part: Buffer): Buffer => {
    hash.update(part)
    return part
  }
  let count = 0
  yield hashed(headerOf(header))
  for await (const record of records) {
    yield hashed(Buffer.concat([columnHead(record), record.bytes]))
    count += 1
  }
  yield hashed(footerOf(count))
  yield hash.digest()
}
