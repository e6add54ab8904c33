import type { LoadedColumn, LoadedWorld } from '../../../realtime/world/columns/loaded-world.ts'
import { type BlockRegistry, createBlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { decodeChunk } from '../../../shared/domain/worlds/chunks/decode-chunk.ts'
import type { ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { createChunk, getBlock, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { chunkCoordinate, chunkKey, chunkPosOf } from '../../../shared/rules/positions.ts'

export const testWorld: WorldRef = { name: 'default', id: '11111111-1111-4111-8111-111111111111' }

export const createTestRegistry = (): BlockRegistry =>
  createBlockRegistry([
    { id: 'stone', name: 'Stone', colour: 0x808080, solid: true },
    { id: 'dirt', name: 'Dirt', colour: 0x805020, solid: true },
    { id: 'water', name: 'Water', colour: 0x2040ff, solid: false },
  ])

/** Columns in memory without a store: empty ones, or those of `read`. */
export type ColumnsInMemory = Pick<LoadedWorld, 'find' | 'blockAt' | 'setBlock'> & {
  add(cx: number, cz: number): LoadedColumn
  delete(cx: number, cz: number): void
  all(): Iterable<LoadedColumn>
}

export const createColumnsInMemory = (): ColumnsInMemory => {
  const columns = new Map<number, LoadedColumn>()
  const find = (cx: number, cz: number) => columns.get(chunkKey(cx, cz))
  const at = (x: number, z: number) => find(chunkCoordinate(x), chunkCoordinate(z))
  return {
    find,
    add: (cx, cz) => {
      const column = { cx, cz, chunk: createChunk(cx, cz), binaryFrame: undefined, textFrame: undefined, writesPending: 0 }
      columns.set(chunkKey(cx, cz), column)
      return column
    },
    delete: (cx, cz) => columns.delete(chunkKey(cx, cz)),
    all: () => columns.values(),
    blockAt: (x, y, z) => {
      const column = at(x, z)
      return column === undefined ? undefined : getBlock(column.chunk, x, y, z)
    },
    setBlock: (x, y, z, index) => {
      const column = at(x, z)
      if (column === undefined) throw new RangeError('no such column')
      const before = getBlock(column.chunk, x, y, z)
      setBlock(column.chunk, { x, y, z }, index)
      return before
    },
  }
}

/** Every block except air: ids by "x y z". */
export type Blocks = Map<string, string>

export const blocksOf = (chunks: Iterable<LoadedColumn['chunk']>, registry: BlockRegistry): Blocks => {
  const blocks: Blocks = new Map()
  for (const chunk of chunks)
    for (let y = 0; y < 256; y += 1)
      for (let x = chunk.cx * 16; chunk.sections[y >> 4] !== undefined && x < chunk.cx * 16 + 16; x += 1)
        for (let z = chunk.cz * 16; z < chunk.cz * 16 + 16; z += 1) {
          const index = getBlock(chunk, x, y, z)
          if (index !== 0) blocks.set(`${x} ${y} ${z}`, registry.idOf(index))
        }
  return blocks
}

/** The blocks in a store, as they would be read after a restart. */
export const storedBlocks = async (chunks: ChunkStore, registry: BlockRegistry): Promise<Blocks> => {
  const found: LoadedColumn['chunk'][] = []
  for await (const { cx, czs } of chunks.discovered(testWorld))
    for (const cz of czs) {
      const pos = chunkPosOf(chunkKey(cx, cz))
      const bytes = await chunks.get(testWorld, pos)
      const decoded = bytes === undefined ? undefined : decodeChunk(bytes, pos, registry)
      if (decoded?.ok !== true) throw new Error(`column ${cx} ${cz} cannot be read`)
      found.push(decoded.chunk)
    }
  return blocksOf(found, registry)
}
