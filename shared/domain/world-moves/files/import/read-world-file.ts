import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { createParser } from '../../../../kernel/schema.ts'
import { codeOf } from '../../../../platform/storage/files/code-of.ts'
import { isChunkPos } from '../../../../rules/positions.ts'
import { badWorldFile, WorldFileHeader, worldFile } from '../../../worlds/export/world-file.ts'
import type { ChunkRecord } from '../../../worlds/store/chunk-store.ts'
import { createByteSource } from './byte-source.ts'

const parseHeader = createParser(WorldFileHeader)

const foreign = 'it is not a world that Gatehouse exported.'
const damaged = (what: string): string => `it is damaged (${what}). Use another copy of it.`

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const formatOf = (value: unknown): number =>
  typeof value === 'object' && value !== null && 'format' in value ? Number(value.format) : Number.NaN

const readHeader = (json: Buffer): WorldFileHeader => {
  const value = parseJson(json.toString('utf8'))
  const format = formatOf(value)
  if (format > worldFile.format)
    throw badWorldFile(`a newer Gatehouse made it (format ${format}; this one reads ${worldFile.format}). Update this server.`)
  const parsed = parseHeader(value)
  if (!parsed.ok) throw badWorldFile(damaged('its header is not valid'))
  return parsed.value
}

/** Translates an error of the system or of gzip. */
const translate = (error: unknown): unknown => {
  const code = String(codeOf(error))
  if (code === 'ENOENT') return badWorldFile('there is no such file.', error)
  if (code === 'EISDIR') return badWorldFile('it is a folder.', error)
  if (code === 'Z_BUF_ERROR') return badWorldFile('it is cut off. Use another copy of it.', error)
  if (code.startsWith('Z_')) return badWorldFile(`${foreign} Or it is damaged: its compressed data is not valid.`, error)
  return typeof error === 'object' && error !== null && 'syscall' in error ? badWorldFile('it cannot be read.', error) : error
}

export type WorldFileReader = {
  readonly header: WorldFileHeader
  /** Read it once, to its end: only there the file is verified. Throws AppError `invalid` that names the fault. */
  readonly records: AsyncIterable<ChunkRecord>
  close(): void
}

type ByteSource = ReturnType<typeof createByteSource>

async function* readRecords(source: ByteSource, hash: ReturnType<typeof createHash>): AsyncGenerator<ChunkRecord, void> {
  const take = async (bytes: number): Promise<Buffer> => {
    const part = await source.take(bytes)
    if (part === undefined) throw badWorldFile('it is cut off. Use another copy of it.')
    hash.update(part)
    return part
  }
  let count = 0
  let before: ChunkRecord | undefined
  for (;;) {
    const length = (await take(4)).readUInt32LE()
    if (length === 0) break
    if (length > worldFile.recordBytesMax) throw badWorldFile(damaged('a column is too long'))
    const head = await take(8)
    const record = { cx: head.readInt32LE(0), cz: head.readInt32LE(4), bytes: await take(length) }
    if (!isChunkPos(record)) throw badWorldFile(damaged('a column is outside the world'))
    if (before !== undefined && (record.cx - before.cx || record.cz - before.cz) <= 0)
      throw badWorldFile(damaged('its columns are out of order'))
    before = record
    count += 1
    yield record
  }
  if (Number((await take(worldFile.countBytes)).readBigUInt64LE()) !== count)
    throw badWorldFile(damaged('it does not have as many columns as its header says'))
  const digest = hash.digest()
  const written = await source.take(worldFile.digestBytes)
  if (written === undefined) throw badWorldFile('it is cut off. Use another copy of it.')
  if (!digest.equals(written)) throw badWorldFile(damaged('its SHA-256 does not match'))
  if ((await source.take(1)) !== undefined) throw badWorldFile(damaged('it has data after its end'))
}

async function* translating<T>(items: AsyncIterable<T>): AsyncGenerator<T, void> {
  try {
    yield* items
  } catch (error) {
    throw translate(error)
  }
}

/**
 * Opens an exported world and reads its header. Throws AppError `invalid` for a file that is absent, foreign, newer, cut off or
 * damaged.
 */
export const readWorldFile = async (path: string): Promise<WorldFileReader> => {
  const file = createReadStream(path)
  const gunzip = createGunzip()
  file.on('error', (error) => gunzip.destroy(error))
  file.pipe(gunzip)
  const close = () => {
    file.destroy()
    gunzip.destroy()
  }
  const source = createByteSource(gunzip)
  const hash = createHash('sha256')
  const take = async (bytes: number): Promise<Buffer> => {
    const part = await source.take(bytes)
    if (part === undefined) throw badWorldFile(foreign)
    hash.update(part)
    return part
  }
  try {
    if ((await take(worldFile.magic.length)).toString('latin1') !== worldFile.magic) throw badWorldFile(foreign)
    const length = (await take(4)).readUInt32LE()
    if (length > worldFile.headerBytesMax) throw badWorldFile(damaged('its header is too long'))
    return { header: readHeader(await take(length)), records: translating(readRecords(source, hash)), close }
  } catch (error) {
    close()
    throw translate(error)
  }
}
