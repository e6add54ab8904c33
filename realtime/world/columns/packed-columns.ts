import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Clock } from '../../../shared/kernel/clock.ts'
import { type Chunk, createChunk, dataBytes, type SectionBits, uniformSection } from '../../../shared/rules/chunks/chunk.ts'
import type { LoadedColumn } from './loaded-world.ts'

/** The fastest level. The window contains a section and the previous one. */
const deflation = { level: 1, windowBits: 12, memLevel: 5 } as const
/** The header of each section: its number, the bits of its entries, and the length of its palette. */
const headBytes = 4
const indexBytes = 2

/**
 * The blocks of a column, deflated to about a fifth. Only for this process, because it uses indexes of its registry and has no
 * checksum.
 */
const packChunk = ({ sections }: Chunk): Uint8Array => {
  let bytes = 0
  for (const section of sections)
    if (section !== undefined) bytes += headBytes + section.palette.length * indexBytes + section.data.length
  const plain = Buffer.allocUnsafe(bytes)
  let at = 0
  for (const [y, section] of sections.entries()) {
    if (section === undefined) continue
    const { palette, bits, data } = section
    plain[at] = y
    plain[at + 1] = bits
    plain.writeUInt16LE(palette.length, at + 2)
    at += headBytes
    for (const index of palette) at = plain.writeUInt16LE(index, at)
    plain.set(data, at)
    at += data.length
  }
  // A copy, because the result is part of a larger buffer.
  return new Uint8Array(deflateRawSync(plain, deflation))
}

/** Reverses `packChunk`. */
const unpackChunk = (packed: Uint8Array, cx: number, cz: number): Chunk => {
  const plain = inflateRawSync(packed)
  const chunk = createChunk(cx, cz)
  let at = 0
  while (at < plain.length) {
    const y = plain.readUInt8(at)
    const bits = plain.readUInt8(at + 1) as SectionBits
    const length = plain.readUInt16LE(at + 2)
    at += headBytes
    const palette: number[] = []
    for (; palette.length < length; at += indexBytes) palette.push(plain.readUInt16LE(at))
    const end = at + dataBytes(bits)
    const isUniform = bits === 0 && length === 1
    chunk.sections[y] = isUniform
      ? uniformSection(palette[0] ?? 0)
      : { palette, bits, data: new Uint8Array(plain.subarray(at, end)) }
    at = end
  }
  return chunk
}

/** The number of steps after which unused blocks are packed: ten seconds. */
const quietSteps = 200
/** The time that a step may spend on packing, in milliseconds. */
const stepBudgetMs = 1
/** The maximum number of columns that are checked in one step. */
const looksPerStep = 128
/** Packing fewer bytes of blocks is not worth it: flat land, water, air. */
const leastBytes = 1024

/** The columns in memory. Blocks of unused columns are packed until they are used. */
export type PackedColumns = {
  /** Adds a loaded column. */
  create(chunk: Chunk): LoadedColumn
  /** Call it before the blocks of a column change. */
  change(column: LoadedColumn): void
  /** The column leaves memory. */
  forget(column: LoadedColumn): void
  /** Packs columns that have been unused for long enough, within a time limit. */
  step(): void
  /** The number of packed columns. */
  packed(): number
}

const measure = ({ sections }: Chunk): number => sections.reduce((bytes, section) => bytes + (section?.data.length ?? 0), 0)

type Unpack = (column: PackableColumn) => Chunk

/** A class, because a world has tens of thousands, and each move of a player reads their blocks. */
class PackableColumn implements LoadedColumn {
  readonly cx: number
  readonly cz: number
  binaryFrame: Uint8Array | undefined = undefined
  textFrame: Uint8Array | undefined = undefined
  writesPending = 0
  /** Undefined while only the packed blocks exist. */
  open: Chunk | undefined
  /** The packed blocks. Undefined if they were never packed or have changed since. */
  packed: Uint8Array | undefined = undefined
  wasLookedAt = true
  /** The column has left memory. It can still be read, but its use is not recorded. */
  isGone = false
  /** The step of its last use. */
  quietSince = 0
  readonly #unpack: Unpack

  constructor(chunk: Chunk, unpack: Unpack) {
    this.cx = chunk.cx
    this.cz = chunk.cz
    this.open = chunk
    this.#unpack = unpack
  }

  get chunk(): Chunk {
    this.wasLookedAt = true
    return this.open ?? this.#unpack(this)
  }
}

export const createPackedColumns = (clock: Clock): PackedColumns => {
  /** Unpacked columns that are worth packing, longest unused first. */
  const open = new Set<PackableColumn>()
  let packed = 0
  let now = 0

  const unpack: Unpack = (column) => {
    const { cx, cz, packed: bytes } = column
    if (bytes === undefined) throw new Error(`The column ${cx},${cz} has no blocks.`)
    const chunk = unpackChunk(bytes, cx, cz)
    if (column.isGone) return chunk
    column.open = chunk
    packed -= 1
    open.add(column)
    return chunk
  }

  const pack = (column: PackableColumn, chunk: Chunk): void => {
    column.packed ??= packChunk(chunk)
    column.open = undefined
    packed += 1
  }

  const look = (column: PackableColumn): void => {
    open.delete(column)
    const { open: chunk } = column
    if (chunk === undefined || measure(chunk) < leastBytes) return
    if (column.wasLookedAt || column.writesPending > 0) {
      column.wasLookedAt = false
      column.quietSince = now
    }
    if (now - column.quietSince < quietSteps) open.add(column)
    else pack(column, chunk)
  }

  return {
    create: (chunk) => {
      const column = new PackableColumn(chunk, unpack)
      open.add(column)
      return column
    },
    change: (column) => {
      if (!(column instanceof PackableColumn)) return
      if (column.open === undefined) unpack(column)
      column.packed = undefined
      open.add(column)
    },
    forget: (column) => {
      if (!(column instanceof PackableColumn)) return
      open.delete(column)
      column.isGone = true
      if (column.open === undefined) packed -= 1
    },
    step: () => {
      now += 1
      const deadlineMs = clock.monotonic() + stepBudgetMs
      const looksMax = Math.min(looksPerStep, open.size)
      let looks = 0
      for (const column of open) {
        if (looks === looksMax || clock.monotonic() >= deadlineMs) return
        looks += 1
        look(column)
      }
    },
    packed: () => packed,
  }
}
