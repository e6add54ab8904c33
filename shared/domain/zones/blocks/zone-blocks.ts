import type { Log } from '../../../kernel/log.ts'
import type { Turns } from '../../../kernel/turns.ts'
import type { ChunkPos } from '../../../rules/positions.ts'
import type { ChunkStore, WorldRef } from '../../worlds/store/chunk-store.ts'
import type { Zone } from '../zone.ts'
import { createBlockCount } from './count-blocks.ts'
import { listLayers, type PlacedColumn } from './list-layers.ts'
import { type ReadColumn, readColumns } from './read-columns.ts'
import { type ScannedColumn, scanColumn } from './scan-column.ts'

/** Blocks that one listing has at most: the lowest layers. */
export const listedBlocksMax = 300_000

export type ZoneBlocksDeps = {
  readonly chunks: Pick<ChunkStore, 'getMany'>
  /** Shared by all listings of the process. */
  readonly turns: Turns
  readonly log: Log
}

export type ZoneBlocksRequest = {
  readonly zone: Pick<Zone, 'id' | 'yMin' | 'yMax' | 'chunks'>
  /** That of the zone's name. */
  readonly world: WorldRef
  /** Only this column of the zone; nothing where it is not the zone's. */
  readonly column?: ChunkPos | undefined
  readonly signal?: AbortSignal | undefined
}

export type ZoneBlocks = {
  /** Blocks that are not air, all that there are. */
  readonly total: number
  /** To be iterated once. */
  readonly pieces: AsyncIterable<Buffer>
}

const isSame = (one: ChunkPos, other: ChunkPos): boolean => one.cx === other.cx && one.cz === other.cz

/**
 * Lists a zone's blocks as lines `{"x":…,"y":…,"z":…,"type":"…"}`, ordered by y, then column, then x, then z: the first 300,000 of them. They come in pieces of up to 64 KiB, the first of few columns. Resolves when all are counted, which reads each column once; listing reads those
 * again that have part in it, as far as the pieces are asked for. Holds some megabytes, however large the zone; all listings of the process
 * together take about 1 ms of a turn of the event loop. A damaged record is as if absent and is logged. Rejects with the signal's reason when that is aborted,
 * and with what the store throws.
 */
export const listZoneBlocks = async ({ chunks, turns, log }: ZoneBlocksDeps, request: ZoneBlocksRequest): Promise<ZoneBlocks> => {
  const { zone, world, column: only, signal } = request
  const positions = only === undefined ? zone.chunks : zone.chunks.filter((pos) => isSame(pos, only))
  const read = (places: readonly number[]) => readColumns({ chunks, world, positions, places, turns, signal })

  const scan = ({ pos, record }: ReadColumn): ScannedColumn => {
    const column = scanColumn(record, pos)
    if (typeof column !== 'string') return column
    log.warn({ world: world.name, zoneId: zone.id, cx: pos.cx, cz: pos.cz, fault: column }, 'a damaged column is listed as empty')
    return []
  }

  const counted = createBlockCount(positions.length, zone)
  for await (const columns of read(positions.map((_, place) => place)))
    for (const column of columns) counted.add(column.place, scan(column))
  const range = counted.range(listedBlocksMax)

  const listColumns = async function* (places: readonly number[]): AsyncGenerator<readonly PlacedColumn[]> {
    for await (const columns of read(places)) yield columns.map((found) => ({ place: found.place, column: scan(found) }))
  }
  const listPieces = async function* (): AsyncGenerator<Buffer> {
    if (range === undefined) return
    const columns = listColumns(counted.placesWithin(range))
    yield* listLayers({ columns, positions, ...range, blocksMax: listedBlocksMax, turns })
  }
  return { total: counted.total(), pieces: listPieces() }
}
