import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { ChunkRecord } from '../../../shared/worlds/store/chunk-store.ts'
import { type WorldFileHeader, worldFile } from './world-file.ts'
import { writeWholeFile } from './write-whole-file.ts'

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

async function* layOut(header: WorldFileHeader, records: AsyncIterable<ChunkRecord>): AsyncGenerator<Buffer> {
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

export type WorldFileContents = { readonly header: WorldFileHeader; readonly records: AsyncIterable<ChunkRecord> }

/** Writes a world as one file; there is none until it is whole. What `records` throws is passed on. Memory does not grow with the world. */
export const writeWorldFile = (path: string, { header, records }: WorldFileContents): Promise<void> =>
  writeWholeFile(path, [Readable.from(layOut(header, records)), createGzip()])
