import { GatehouseError } from '../errors.ts'
import type { BlockEdit, BlockType, ChunkGone, Chunk as ChunkMessage, Section } from '../protocol/generated/gatehouse.ts'
import { isSoundSection } from '../protocol/sound-section.ts'
import {
  air,
  type Column,
  type ColumnSection,
  chunkCoordinate,
  chunkKey,
  createColumn,
  getBlock,
  type SectionBits,
  type SolidWorld,
  setBlock,
  worldHeight,
} from './rules.ts'

/** The blocks around a player that the server has sent. Coordinates are whole numbers. */
export type BlockCache = {
  /** Sets the kinds of blocks from Welcome and forgets every column. */
  begin(kinds: readonly BlockType[]): void
  /** Replaces the kinds of blocks (BlocksRegistry), and keeps the columns. */
  learn(kinds: readonly BlockType[]): void
  /** Throws GatehouseError `invalid-section` if a section is not valid. Beyond 1,600 columns the oldest one is forgotten. */
  putChunk(chunk: ChunkMessage): void
  dropChunk(pos: ChunkGone): void
  /** Ignores edits in unknown columns. */
  change(edits: readonly BlockEdit[]): void
  /** The kind of block; undefined in an unknown column. Above and below the world is air. */
  blockAt(x: number, y: number, z: number): BlockType | undefined
  /** The same as its index. */
  indexAt(x: number, y: number, z: number): number | undefined
  /**
   * The height of the highest block at `from` or below that is not air, -1 when there is none; undefined in an unknown column.
   */
  findTop(x: number, z: number, from?: number): number | undefined
  /** Kinds to build with. */
  placeable(): readonly BlockType[]
  /** The number of known columns. */
  columnCount(): number
  /** For the checks of moves. */
  readonly solids: SolidWorld
}

/** All of the greatest view, 33 by 33, and columns that are about to leave it. */
const columnsMax = 1_600
const unknownKind: BlockType = { index: -1, id: 'unknown', colour: 0xff00ff, solid: true }

const isSectionBits = (bits: number): bits is SectionBits => [0, 1, 2, 4, 8, 16].includes(bits)

/** Copies, because bytes of a message are a view of its frame. */
const decodeSection = (section: Section): ColumnSection => {
  const { y, palette, bits, data } = section
  if (isSoundSection(section) && isSectionBits(bits)) return { palette: [...palette], bits, data: new Uint8Array(data) }
  throw new GatehouseError(
    'invalid-section',
    `A section at ${y} with ${bits} bits, a palette of ${palette.length} and ${data.length} bytes.`,
  )
}

/** The column of a Chunk message. Throws GatehouseError `invalid-section` if a section is not valid. */
export const decodeChunk = ({ cx, cz, sections }: ChunkMessage): Column => {
  const column = createColumn(cx, cz)
  for (const section of sections) column.sections[section.y] = decodeSection(section)
  return column
}

/** Searches down a column, with one step for each section of air. */
const findTopIn = (column: Column, x: number, z: number, from: number): number => {
  for (let y = Math.min(from, worldHeight - 1); y >= 0; y -= 1) {
    if (column.sections[y >> 4] === undefined) y &= ~15
    else if (getBlock(column, x, y, z) !== air) return y
  }
  return -1
}

export const createBlockCache = (): BlockCache => {
  const columns = new Map<number, Column>()
  let kinds = new Map<number, BlockType>()
  let byId = new Map<string, BlockType>()
  const findColumn = (x: number, z: number) => columns.get(chunkKey(chunkCoordinate(x), chunkCoordinate(z)))
  const indexAt: BlockCache['indexAt'] = (x, y, z) => {
    const column = findColumn(x, z)
    if (column === undefined) return undefined
    return y >= 0 && y < worldHeight ? getBlock(column, x, y, z) : air
  }
  const learn: BlockCache['learn'] = (types) => {
    kinds = new Map(types.map((kind) => [kind.index, kind]))
    byId = new Map(types.map((kind) => [kind.id, kind]))
  }

  return {
    begin: (types) => {
      columns.clear()
      learn(types)
    },
    learn,
    putChunk: (message) => {
      const key = chunkKey(message.cx, message.cz)
      const column = decodeChunk(message)
      // Moves it to the end, as the newest.
      columns.delete(key)
      columns.set(key, column)
      const [first] = columns.keys()
      if (columns.size > columnsMax && first !== undefined) columns.delete(first)
    },
    dropChunk: ({ cx, cz }) => columns.delete(chunkKey(cx, cz)),
    change: (edits) => {
      for (const { x, y, z, type } of edits) {
        const column = findColumn(x, z)
        const { index } = byId.get(type) ?? byId.get(unknownKind.id) ?? { index: air }
        if (column !== undefined && y >= 0 && y < worldHeight) setBlock(column, { x, y, z }, index)
      }
    },
    blockAt: (x, y, z) => {
      const index = indexAt(x, y, z)
      return index === undefined ? undefined : (kinds.get(index) ?? unknownKind)
    },
    indexAt,
    findTop: (x, z, from = worldHeight - 1) => {
      const column = findColumn(x, z)
      return column && findTopIn(column, x, z, from)
    },
    placeable: () => [...kinds.values()].filter(({ index, placeholder }) => index !== air && placeholder !== true),
    columnCount: () => columns.size,
    solids: {
      loaded: { blockAt: indexAt },
      registry: { isSolid: (index) => (kinds.get(index) ?? unknownKind).solid },
    },
  }
}
