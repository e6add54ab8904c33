import { writeFile } from 'node:fs/promises'
import { deflateSync, gzipSync } from 'node:zlib'
import { Int8, Int32, write } from 'nbtify'

/** One column of a region file in a test: its place in the table, and its data. */
export type WrittenColumn = {
  readonly cx: number
  readonly cz: number
  /** The data behind the length and the type. */
  readonly payload: Uint8Array
  readonly type?: number
  /** A wrong length for the header. */
  readonly length?: number
  readonly sector?: number
  readonly sectors?: number
}

const sectorBytes = 4096

const indexOf = ({ cx, cz }: WrittenColumn): number => (cx & 31) + (cz & 31) * 32

/** A region file of these columns, one after the other from the third sector on. */
export const regionOf = (columns: readonly WrittenColumn[]): Buffer => {
  const header = Buffer.alloc(2 * sectorBytes)
  const bodies: Buffer[] = []
  let next = 2
  for (const column of columns) {
    const body = Buffer.alloc(Math.ceil((5 + column.payload.length) / sectorBytes) * sectorBytes)
    body.writeUInt32BE(column.length ?? column.payload.length + 1, 0)
    body.writeUInt8(column.type ?? 2, 4)
    body.set(column.payload, 5)
    const sectors = body.length / sectorBytes
    header.writeUInt32BE((((column.sector ?? next) << 8) | (column.sectors ?? sectors)) >>> 0, indexOf(column) * 4)
    bodies.push(body)
    next += sectors
  }
  return Buffer.concat([header, ...bodies])
}

export const writeRegion = (path: string, columns: readonly WrittenColumn[]): Promise<void> => writeFile(path, regionOf(columns))

export type WrittenSection = {
  readonly y: number
  readonly names: readonly string[]
  /** The index of a name for each entry of the section; absent for a section of one block. */
  readonly entries?: (at: number) => number
  readonly longs?: BigInt64Array
  readonly waterlogged?: boolean
}

/**
 * Packs as in the Anvil format of 1.16 and newer, with arithmetic on whole words: slow, and independent of the code under test.
 */
const packLongs = (names: number, entries: (at: number) => number): BigInt64Array => {
  const bits = Math.max(4, Math.ceil(Math.log2(names)))
  const perLong = Math.floor(64 / bits)
  const longs = new BigUint64Array(Math.ceil(4096 / perLong))
  for (let at = 0; at < 4096; at += 1) {
    const long = Math.floor(at / perLong)
    longs[long] = (longs[long] ?? 0n) | (BigInt(entries(at)) << BigInt((at % perLong) * bits))
  }
  return new BigInt64Array(longs.buffer)
}

export type WrittenChunk = {
  readonly cx: number
  readonly cz: number
  readonly sections: readonly WrittenSection[]
  readonly status?: string
  readonly dataVersion?: number
}

/** The named binary tag of a column of 1.18 or newer. */
export const columnNbt = ({
  cx,
  cz,
  sections,
  status = 'minecraft:full',
  dataVersion = 2975,
}: WrittenChunk): Promise<Uint8Array> =>
  write(
    {
      DataVersion: new Int32(dataVersion),
      xPos: new Int32(cx),
      zPos: new Int32(cz),
      yPos: new Int32(-4),
      Status: status,
      sections: sections.map(({ y, names, entries, longs, waterlogged }) => ({
        Y: new Int8(y),
        block_states: {
          palette: names.map((name) => ({
            Name: `minecraft:${name}`,
            ...(waterlogged ? { Properties: { waterlogged: 'true' } } : {}),
          })),
          ...(entries === undefined && longs === undefined
            ? {}
            : { data: longs ?? packLongs(names.length, entries ?? (() => 0)) }),
        },
      })),
    },
    { rootName: '', endian: 'big', compression: null, bedrockLevel: false },
  )

/** A column with its data compressed as Minecraft does. */
export const writtenColumn = async (
  chunk: WrittenChunk,
  compression: 'gzip' | 'zlib' | 'none' = 'zlib',
): Promise<WrittenColumn> => {
  const nbt = await columnNbt(chunk)
  const { cx, cz } = chunk
  if (compression === 'gzip') return { cx, cz, type: 1, payload: gzipSync(nbt) }
  return compression === 'zlib' ? { cx, cz, type: 2, payload: deflateSync(nbt) } : { cx, cz, type: 3, payload: nbt }
}
