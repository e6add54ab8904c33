import type {
  BlockEdit,
  BlockType,
  ChunkGone,
  Chunk as ChunkMessage,
  Section as SectionMessage,
} from '../../../realtime/protocol/generated/gatehouse.ts'
import {
  air,
  type Chunk,
  createChunk,
  dataBytes,
  getBlock,
  type Section,
  type SectionBits,
  setBlock,
} from '../../../shared/worlds/chunks/chunk.ts'
import { chunkCoordinate, chunkKey, sectionsPerChunk, worldHeight } from '../../../shared/worlds/space/positions.ts'

/** A kind of block as the server told of it; `colour` is 0xRRGGBB. */
export type KnownBlock = Pick<BlockType, 'id' | 'colour' | 'solid' | 'placeholder'>

/** The blocks around a player, as far as the server has sent them. Coordinates are whole numbers. */
export type KnownWorld = {
  /** Takes the kinds of blocks from Welcome and forgets every column. */
  begin(kinds: readonly BlockType[]): void
  /** Takes other kinds of blocks, and keeps the columns. */
  learn(kinds: readonly BlockType[]): void
  /** Throws when a section is not of the protocol. Past 1,600 columns the one that came first is forgotten. */
  putChunk(chunk: ChunkMessage): void
  dropChunk(pos: ChunkGone): void
  /** Edits in columns that are not here are passed over. */
  change(edits: readonly BlockEdit[]): void
  /** Undefined where the column is not here. Above and below the world is air. */
  blockAt(x: number, y: number, z: number): KnownBlock | undefined
  /** The height of the highest block at `from` or below that is not air, -1 when there is none; undefined where the column is not here. */
  findTop(x: number, z: number, from?: number): number | undefined
  /** Ids of blocks to build with. */
  placeable(): readonly string[]
}

/** All of the greatest view, 33 by 33, and those that are on their way out of it. */
const columnsMax = 1_600
const unknownKind: KnownBlock = { id: 'unknown', colour: 0xff00ff, solid: true, placeholder: true }

const isSectionBits = (bits: number): bits is SectionBits => [0, 1, 2, 4, 8, 16].includes(bits)

const readSection = ({ y, palette, bits, data }: SectionMessage): Section => {
  const isSound = isSectionBits(bits) && y < sectionsPerChunk && palette.length > 0 && data.length === dataBytes(bits)
  if (!isSound) throw new Error(`A section at ${y} with ${bits} bits, a palette of ${palette.length} and ${data.length} bytes.`)
  return { palette: [...palette], bits, data: new Uint8Array(data) }
}

const readChunk = ({ cx, cz, sections }: ChunkMessage): Chunk => {
  const chunk = createChunk(cx, cz)
  for (const section of sections) chunk.sections[section.y] = readSection(section)
  return chunk
}

/** Goes down a column, over sections of nothing but air in one step. */
const findTopIn = (chunk: Chunk, x: number, z: number, from: number): number => {
  for (let y = Math.min(from, worldHeight - 1); y >= 0; y -= 1) {
    if (chunk.sections[y >> 4] === undefined) y &= ~15
    else if (getBlock(chunk, x, y, z) !== air) return y
  }
  return -1
}

/** Knows nothing yet. */
export const createKnownWorld = (): KnownWorld => {
  const columns = new Map<number, Chunk>()
  let kinds = new Map<number, KnownBlock>()
  let indexes = new Map<string, number>()
  const findColumn = (x: number, z: number) => columns.get(chunkKey(chunkCoordinate(x), chunkCoordinate(z)))
  const kindOf = (index: number): KnownBlock => kinds.get(index) ?? unknownKind

  // Servers of before the mark know it by its id alone.
  const isPlaceholder = (index: number) => kindOf(index).placeholder === true || kindOf(index).id === unknownKind.id

  const learn: KnownWorld['learn'] = (types) => {
    kinds = new Map(types.map(({ index, id, colour, solid, placeholder }) => [index, { id, colour, solid, placeholder }]))
    indexes = new Map(types.map(({ index, id }) => [id, index]))
  }

  return {
    begin: (types) => {
      columns.clear()
      learn(types)
    },
    learn,
    putChunk: (message) => {
      const key = chunkKey(message.cx, message.cz)
      const column = readChunk(message)
      // Anew, so that it counts as the last that came.
      columns.delete(key)
      columns.set(key, column)
      const [first] = columns.keys()
      if (columns.size > columnsMax && first !== undefined) columns.delete(first)
    },
    dropChunk: ({ cx, cz }) => columns.delete(chunkKey(cx, cz)),
    change: (edits) => {
      for (const { x, y, z, type } of edits) {
        const column = findColumn(x, z)
        if (column !== undefined && y >= 0 && y < worldHeight)
          setBlock(column, { x, y, z }, indexes.get(type) ?? indexes.get(unknownKind.id) ?? air)
      }
    },
    blockAt: (x, y, z) => {
      const column = findColumn(x, z)
      if (column === undefined) return undefined
      return kindOf(y >= 0 && y < worldHeight ? getBlock(column, x, y, z) : air)
    },
    findTop: (x, z, from = worldHeight - 1) => {
      const column = findColumn(x, z)
      return column && findTopIn(column, x, z, from)
    },
    placeable: () => [...indexes].filter(([, index]) => index !== air && !isPlaceholder(index)).map(([id]) => id),
  }
}
