import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import type { ChunkStore, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { air, type Chunk, getBlock } from '../../../shared/rules/chunks/chunk.ts'
import { chunkBlocks } from '../../../shared/rules/positions.ts'

export const listedWorld: WorldRef = { name: 'default', id: '7b0e8c8e-9a55-4d0c-a3a8-5c1d4a9b2f10' }
export const listedZoneId = '0b8f7c86-6f5c-4a43-9d36-5a5d3a0d7c11'

export type Area = { readonly yMin: number; readonly yMax: number; readonly columns: readonly Chunk[] }

/** A zone over these columns, as the service stores it. */
export const zoneOver = ({ yMin, yMax, columns }: Area) => ({
  id: listedZoneId,
  yMin,
  yMax,
  chunks: columns.map(({ cx, cz }) => ({ cx, cz })).sort((one, other) => one.cx - other.cx || one.cz - other.cz),
})

export const storeColumns = async (
  chunks: ChunkStore,
  columns: readonly Chunk[],
  registry: BlockRegistry,
  world = listedWorld,
): Promise<void> => {
  const records = columns.map((column) => ({ cx: column.cx, cz: column.cz, bytes: encodeChunk(column, registry) }))
  await chunks.putMany(world, records, 1)
}

/** A reference implementation of a listing: every possible block in order, with one JSON.stringify each. */
export const linesOf = (area: Area, registry: BlockRegistry): string[] => {
  const ordered = [...area.columns].sort((one, other) => one.cx - other.cx || one.cz - other.cz)
  const lines: string[] = []
  for (let y = area.yMin; y <= area.yMax; y += 1)
    for (const column of ordered)
      for (let dx = 0; dx < chunkBlocks; dx += 1)
        for (let dz = 0; dz < chunkBlocks; dz += 1) {
          const index = getBlock(column, dx, y, dz)
          if (index === air) continue
          const [x, z] = [column.cx * chunkBlocks + dx, column.cz * chunkBlocks + dz]
          lines.push(JSON.stringify({ x, y, z, type: registry.idOf(index) }))
        }
  return lines
}

/** The lines of chunks, each of which must contain whole lines. */
export const readLines = async (pieces: AsyncIterable<Uint8Array>): Promise<string[]> => {
  const lines: string[] = []
  for await (const piece of pieces) {
    const text = Buffer.from(piece).toString('latin1')
    if (!text.endsWith('\n')) throw new Error('a piece ends within a line')
    lines.push(...text.slice(0, -1).split('\n'))
  }
  return lines
}
