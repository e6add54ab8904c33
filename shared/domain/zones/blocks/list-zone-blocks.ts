import type { Log } from '../../../kernel/log.ts'
import type { Turns } from '../../../kernel/turns.ts'
import { air, type Chunk, entryAt, readSection } from '../../../rules/chunks/chunk.ts'
import { type ChunkPos, chunkBlocks, worldHeight } from '../../../rules/positions.ts'
import { type BlockRegistry, createBlockRegistry } from '../../worlds/chunks/block-registry.ts'
import { decodeChunk } from '../../worlds/chunks/decode-chunk.ts'
import type { ChunkStore, WorldRef } from '../../worlds/store/chunk-store.ts'
import type { Zone } from '../zone.ts'
import { readColumns } from './read-columns.ts'

/** The maximum number of blocks in a listing, taken from the lowest layers. */
export const listedBlocksMax = 300_000

/** The maximum size of a piece of the listing. */
const pieceBytes = 64 * 1024

type Heights = Pick<Zone, 'yMin' | 'yMax'>

export type ZoneBlocksDeps = {
  readonly chunks: Pick<ChunkStore, 'getMany'>
  /** Shared by all listings of the process. */
  readonly turns: Turns
  readonly log: Log
}

export type ZoneBlocksRequest = {
  readonly zone: Pick<Zone, 'id' | 'yMin' | 'yMax' | 'chunks'>
  /** The world of the zone. */
  readonly world: WorldRef
  /** Only this column. The listing is empty if it is not a column of the zone. */
  readonly column?: ChunkPos | undefined
  readonly signal?: AbortSignal | undefined
}

export type ZoneBlocks = {
  /** All blocks that are not air, including those above the limit. */
  readonly total: number
  /** Can be iterated once. */
  readonly pieces: AsyncIterable<Buffer>
}

/** Calls `visit` for each block of a column that is not air, by layer, then x, then z. */
const visitBlocks = (
  { sections }: Chunk,
  { yMin, yMax }: Heights,
  visit: (x: number, y: number, z: number, index: number) => void,
): void => {
  for (let y = yMin; y <= yMax; y += 1) {
    const section = sections[y >> 4]
    if (section === undefined) {
      y |= 15
      continue
    }
    for (let x = 0; x < chunkBlocks; x += 1)
      for (let z = 0; z < chunkBlocks; z += 1) {
        const index = readSection(section, entryAt(x, y, z))
        if (index !== air) visit(x, y, z, index)
      }
  }
}

/** The number of blocks in a column that are not air. */
export const countBlocks = (chunk: Chunk, heights: Heights): number => {
  let count = 0
  visitBlocks(chunk, heights, () => {
    count += 1
  })
  return count
}

/** A block within its layer: the index of its column in the zone, its kind, and x and z within the column. */
const packBlock = (place: number, index: number, x: number, z: number): number =>
  (place * 2 ** 20 + index) * 256 + x * chunkBlocks + z

/** Collects the lowest `listedBlocksMax` blocks and counts all. Add columns in the order of the zone. */
const createCollection = () => {
  const layers = Array.from({ length: worldHeight }, (): number[] => [])
  let total = 0
  let retained = 0
  let top = worldHeight - 1
  return {
    total: () => total,
    layers: (): readonly (readonly number[])[] => layers,
    add: (chunk: Chunk, place: number, heights: Heights): void => {
      visitBlocks(chunk, heights, (x, y, z, index) => {
        total += 1
        // Blocks of later columns sort after those of the top layer.
        if (y > top || (y === top && retained >= listedBlocksMax)) return
        layers[y]?.push(packBlock(place, index, x, z))
        retained += 1
      })
      for (
        let count = layers[top]?.length ?? 0;
        top > 0 && retained - count >= listedBlocksMax;
        count = layers[top]?.length ?? 0
      ) {
        retained -= count
        layers[top] = []
        top -= 1
      }
    },
  }
}

type Listed = {
  readonly layers: readonly (readonly number[])[]
  readonly positions: readonly ChunkPos[]
  readonly registry: Pick<BlockRegistry, 'idOf'>
  readonly turns: Turns
}

const writePieces = async function* ({ layers, positions, registry, turns }: Listed): AsyncGenerator<Buffer> {
  let text = ''
  let remaining = listedBlocksMax
  for (const [y, layer] of layers.entries())
    for (const block of layer) {
      if (remaining === 0) break
      remaining -= 1
      const column = Math.floor(block / 256)
      const { cx, cz } = positions[Math.floor(column / 2 ** 20)] ?? { cx: 0, cz: 0 }
      const x = cx * chunkBlocks + ((block >> 4) & 15)
      const z = cz * chunkBlocks + (block & 15)
      text += `{"x":${x},"y":${y},"z":${z},"type":"${registry.idOf(column % 2 ** 20)}"}\n`
      if (text.length < pieceBytes - 128) continue
      yield Buffer.from(text)
      text = ''
      await turns.next()
    }
  if (text !== '') yield Buffer.from(text)
}

/**
 * Lists the lowest 300,000 blocks of a zone as lines `{"x":…,"y":…,"z":…,"type":"…"}`, in pieces of up to 64 KiB. The order is y, then
 * column, then x, then z. Resolves when all blocks are counted; holds a few megabytes. A damaged record is logged and counts as absent.
 * Rejects with the signal's reason if it is aborted, and with errors of the store.
 */
export const listZoneBlocks = async ({ chunks, turns, log }: ZoneBlocksDeps, request: ZoneBlocksRequest): Promise<ZoneBlocks> => {
  const { zone, world, column: only, signal } = request
  const positions = only === undefined ? zone.chunks : zone.chunks.filter(({ cx, cz }) => cx === only.cx && cz === only.cz)
  const registry = createBlockRegistry([])
  const collection = createCollection()
  for await (const { pos, record, place } of readColumns({ chunks, world, positions, turns, signal })) {
    const decoded = decodeChunk(record, pos, registry)
    if (decoded.ok) collection.add(decoded.chunk, place, zone)
    else {
      const { fault } = decoded
      log.warn({ world: world.name, zoneId: zone.id, cx: pos.cx, cz: pos.cz, fault }, 'a damaged column is listed as empty')
    }
  }
  return { total: collection.total(), pieces: writePieces({ layers: collection.layers(), positions, registry, turns }) }
}
