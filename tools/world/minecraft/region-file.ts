import { type FileHandle, open, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import { errorCode, messageOf } from '../describe-failure.ts'
import type { Skip } from './skip-reason.ts'

/** The limit of an inflated column; real ones stay below 2 MiB. */
export const inflatedBytesMax = 16 * 1024 * 1024

const inflaters = new Map([
  [1, promisify(gunzip)],
  [2, promisify(inflate)],
])
const unsupported = new Map([
  [4, 'LZ4'],
  [127, 'of a custom kind'],
])

const describe = (error: unknown): string =>
  errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
    ? `it inflates to more than ${inflatedBytesMax} bytes`
    : 'its compressed data is damaged'

/**
 * Inflates the named binary tag of a column by its compression type (Anvil: 1 gzip, 2 zlib, 3 none), up to `inflatedBytesMax`.
 */
const inflateColumn = async (type: number, bytes: Uint8Array): Promise<Uint8Array | Skip> => {
  if (type === 3) return bytes
  const name = unsupported.get(type)
  if (name !== undefined)
    return {
      reason: 'unsupported-compression',
      detail: `its compression is ${name}: set region-file-compression=deflate in server.properties and let Minecraft save it again`,
    }
  const inflateBytes = inflaters.get(type)
  if (inflateBytes === undefined) return { reason: 'damaged', detail: `there is no compression of type ${type}` }
  try {
    return await inflateBytes(bytes, { maxOutputLength: inflatedBytesMax })
  } catch (error) {
    return { reason: 'damaged', detail: describe(error) }
  }
}

/** A column of a region file: its named binary tag, or why there is none. */
export type RegionColumn = ChunkPos & ({ readonly nbt: Uint8Array } | { readonly skip: Skip })

/** Columns along each side of a region. */
const regionColumns = 32

const sectorBytes = 4096
const headerSectors = 2
const externalBit = 0x80

const damaged = (detail: string): Skip => ({ reason: 'damaged', detail })

const readAt = async (file: FileHandle, position: number, length: number): Promise<Uint8Array> => {
  const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

type SectorRange = { readonly sector: number; readonly sectors: number }

/** An entry of the location table: three bytes for the first sector, one for their number. */
const placeOf = (table: Uint8Array, index: number): SectorRange => {
  const [high = 0, middle = 0, low = 0, sectors = 0] = table.subarray(index * 4, index * 4 + 4)
  return { sector: (high << 16) | (middle << 8) | low, sectors }
}

/** A column too large for its sectors is in a separate file next to the region. */
const readExternal = async (path: string, { cx, cz }: ChunkPos): Promise<Uint8Array | Skip> => {
  const name = `c.${cx}.${cz}.mcc`
  const external = join(dirname(path), name)
  const found = await stat(external).catch(() => undefined)
  if (found === undefined || !found.isFile()) return damaged(`its data should be in ${name}, which does not exist`)
  if (found.size > inflatedBytesMax) return damaged(`${name} is larger than ${inflatedBytesMax} bytes`)
  return readFile(external)
}

type ColumnSource = { readonly file: FileHandle; readonly path: string; readonly sizeBytes: number }

const readColumn = async (source: ColumnSource, pos: ChunkPos, { sector, sectors }: SectorRange): Promise<Uint8Array | Skip> => {
  const { file, path, sizeBytes } = source
  const start = sector * sectorBytes
  if (sector < headerSectors) return damaged('its location points into the header of the file')
  if (start + 5 > sizeBytes) return damaged('its location is past the end of the file')
  const head = await readAt(file, start, 5)
  if (head.length < 5) return damaged('its location is past the end of the file')
  const view = new DataView(head.buffer)
  const [length, type] = [view.getUint32(0), view.getUint8(4)]
  if (type & externalBit) {
    const external = await readExternal(path, pos)
    return external instanceof Uint8Array ? inflateColumn(type & ~externalBit, external) : external
  }
  if (length < 2) return damaged('it has no data')
  if (length + 4 > sectors * sectorBytes) return damaged('it is longer than its sectors')
  if (start + 4 + length > sizeBytes) return damaged('the file ends within it')
  return inflateColumn(type, await readAt(file, start + 5, length - 1))
}

/**
 * The columns of a region file, in the order of its table, one in memory at a time. The format is Anvil: a table of 1,024
 * locations, then sectors of 4 KiB. A fault in one column does not hide others. Calls `faultOfFile` when the whole file cannot
 * be read.
 */
export async function* readRegionFile(
  { path, rx, rz }: { readonly path: string; readonly rx: number; readonly rz: number },
  faultOfFile: (fault: string) => void,
): AsyncGenerator<RegionColumn, void, undefined> {
  const file = await open(path, 'r').catch((error: unknown) => {
    faultOfFile(`it cannot be opened: ${messageOf(error)}`)
    return undefined
  })
  if (file === undefined) return
  try {
    const { size: sizeBytes } = await file.stat()
    // Minecraft creates the file of a region before it has data for it.
    if (sizeBytes === 0) return
    const table = await readAt(file, 0, sectorBytes)
    if (sizeBytes < headerSectors * sectorBytes || table.length < sectorBytes) return faultOfFile('it ends within its header')
    for (let index = 0; index < regionColumns ** 2; index += 1) {
      const place = placeOf(table, index)
      if (place.sector === 0 && place.sectors === 0) continue
      const pos = { cx: rx * regionColumns + (index % regionColumns), cz: rz * regionColumns + Math.floor(index / regionColumns) }
      const read = await readColumn({ file, path, sizeBytes }, pos, place)
      yield read instanceof Uint8Array ? { ...pos, nbt: read } : { ...pos, skip: read }
    }
  } catch (error) {
    faultOfFile(`it cannot be read: ${messageOf(error)}`)
  } finally {
    await file.close()
  }
}
