import type { Clock } from '../../../shared/kernel/clock.ts'
import type { Chunk } from '../../../shared/rules/chunks/chunk.ts'
import type { LoadedColumn } from './loaded-world.ts'
import { packChunk, unpackChunk } from './pack-chunk.ts'

/** Steps after which blocks that nobody looked at are packed: ten seconds. */
const quietSteps = 200
/** What a step may spend on it, in milliseconds. */
const stepBudgetMs = 1
/** Columns that are looked at in one step, at the most. */
const looksPerStep = 128
/** Bytes of blocks below which packing wins nothing: level ground, water, air. */
const leastBytes = 1024

/** Columns in memory. Of those that nobody looks at, the blocks are packed until somebody does. */
export type PackedColumns = {
  /** A column that came into memory. */
  create(chunk: Chunk): LoadedColumn
  /** To be called before its blocks change. */
  change(column: LoadedColumn): void
  /** It leaves memory. */
  forget(column: LoadedColumn): void
  /** Packs what was left alone for long enough, within a budget of time. */
  step(): void
  /** Columns that are packed at this moment. */
  packed(): number
}

const measure = ({ sections }: Chunk): number => sections.reduce((bytes, section) => bytes + (section?.data.length ?? 0), 0)

type Unpack = (column: PackableColumn) => Chunk

/** A class, since a world has tens of thousands, whose blocks are looked up with every step of a player. */
class PackableColumn implements LoadedColumn {
  readonly cx: number
  readonly cz: number
  binaryFrame: Uint8Array | undefined = undefined
  textFrame: Uint8Array | undefined = undefined
  writesPending = 0
  /** Undefined while only the packed blocks are there. */
  open: Chunk | undefined
  /** The blocks as they are; undefined when they were never packed, or changed since. */
  packed: Uint8Array | undefined = undefined
  wasLookedAt = true
  /** It left memory: whoever has it still may look at it, and nothing is kept of that. */
  isGone = false
  /** The step since which nobody looked. */
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
  /** Those with open blocks that packing would make smaller, the longest left alone first. */
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
