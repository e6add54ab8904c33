import { createHash } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { createThreadPool } from '../../../kernel/thread-pool.ts'
import type { Turns } from '../../../kernel/turns.ts'
import { moduleBeside } from '../../../platform/process/module-beside.ts'
import { type ChunkPos, chunkKey, isChunkPos } from '../../../rules/positions.ts'
import type { BlocksConfig } from '../blocks-config.ts'
import { chunkRecord } from '../chunks/chunk-record.ts'
import type { ChunkRecord, ChunkStore, WorldRef } from '../store/chunk-store.ts'
import type { KeptTile, TileFiles } from './files/tile-files.ts'
import type { TileChanges } from './tile-changes.ts'
import { boxOfTile, partsOfTile, type TilePos, tileColumns } from './tile-grid.ts'
import type { DrawTileJob, JoinTilesJob } from './tile-worker.ts'

/** Increase it when the same columns are drawn differently. */
const drawingVersion = 1

/** How long a tile of each zoom is valid without a check of its contents, without reports of a node and with them. */
const trustMs = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000]
const followedMs = 300_000

/** The number of tiles in memory, about 30 kB each, and the number of tiles whose contents are remembered. */
const tilesKept = 1_000
const knownMax = 20_000
const columnsPerRead = 32
/** The time limit of a response, shorter than that of functions and proxies. Tiles drawn until then are kept. */
const patienceMs = 20_000
const threads = 1

/** A tile as PNG, and the hash of its contents. */
export type MapTile = { readonly etag: string; readonly png: Uint8Array }

export type TileRequest = TilePos & { readonly world: WorldRef; readonly cut: number | undefined }

export type MapTiles = {
  /** Reads which tiles nodes report as changed. Call it before the other methods. Never rejects. */
  follow(): Promise<void>
  /** The tile if it was checked recently; undefined if it must be checked. */
  findWarm(request: TileRequest): { readonly tile: MapTile | undefined } | undefined
  /**
   * Undefined if nothing is generated. Throws AppError `unavailable` at the time limit; the next attempt continues with the finished
   * work.
   */
  get(request: TileRequest): Promise<MapTile | undefined>
  close(): Promise<void>
}

export type MapTilesDeps = {
  readonly chunks: Pick<ChunkStore, 'getMany' | 'discovered'>
  readonly blocks: () => BlocksConfig
  readonly files: TileFiles
  readonly turns: Turns
  readonly clock: Pick<Clock, 'monotonic'>
  readonly changes: TileChanges
}

/**
 * The contents of a tile at the last check. An empty tile has no `etag`. `blocks` is the config that it was drawn with; another config
 * has other colours.
 */
type Known = { readonly etag: string | undefined; readonly lookedAtMs: number; readonly blocks: BlocksConfig }
type UnderWay = { readonly tile: Promise<MapTile | undefined>; readonly beganAtMs: number; readonly blocks: BlocksConfig }
type Making = { readonly request: TileRequest; readonly generated: ReadonlySet<number>; readonly deadlineMs: number }

const worldTop = 255
const nameOf = ({ world, zoom, tx, tz, cut }: TileRequest): string => `${world.id}/${cut ?? 'all'}/${zoom}/${tx}_${tz}`
const tookTooLong = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'The map is still being drawn. Try again in a moment.', {
    retryAfterSeconds: 1,
  })

/** A record ends with a checksum of its contents, which is enough to compare two records. */
const checksumOf = ({ bytes }: ChunkRecord): Uint8Array => bytes.subarray(-chunkRecord.checksumBytes)

/**
 * Draws tiles from stored columns in threads, and caches them by their contents. An edit is stored before its answer, so stored columns
 * are current.
 */
export const createMapTiles = ({ chunks, blocks, files, turns, clock, changes }: MapTilesDeps): MapTiles => {
  const known = new Map<string, Known>()
  const drawn = new Map<string, MapTile>()
  const underWay = new Map<string, UnderWay>()
  const pool = createThreadPool<DrawTileJob | JoinTilesJob>({
    module: moduleBeside('tile-worker', import.meta.url),
    name: 'drawTile',
    maxThreads: threads,
    idleMs: 60_000,
  })

  const putLast = <T>(map: Map<string, T>, name: string, value: T, most: number): void => {
    map.delete(name)
    map.set(name, value)
    for (const oldest of map.keys()) {
      if (map.size <= most) break
      map.delete(oldest)
    }
  }

  const remember = (
    request: TileRequest,
    tile: MapTile | undefined,
    check: Pick<Known, 'lookedAtMs' | 'blocks'>,
  ): MapTile | undefined => {
    const name = nameOf(request)
    putLast(known, name, { etag: tile?.etag, ...check }, knownMax)
    if (tile !== undefined) putLast(drawn, name, tile, tilesKept)
    return tile
  }

  const isTrue = (request: TileRequest, lookedAtMs: number): boolean => {
    const { id } = request.world
    const trusted = changes.isFollowed(id) ? followedMs : (trustMs[request.zoom] ?? 0)
    return lookedAtMs + trusted > clock.monotonic() && lookedAtMs > changes.changedAtMs(id, request)
  }

  const findKnown = (request: TileRequest): Known | undefined => {
    const found = known.get(nameOf(request))
    return found?.blocks === blocks() && isTrue(request, found.lookedAtMs) ? found : undefined
  }

  const findWarm: MapTiles['findWarm'] = (request) => {
    const found = findKnown(request)
    if (found === undefined) return undefined
    if (found.etag === undefined) return { tile: undefined }
    const tile = drawn.get(nameOf(request))
    return tile?.etag === found.etag ? { tile } : undefined
  }

  /** Tiles with a cut are not stored, so the disk has at most as many tiles as the world. */
  const findOnDisk = (request: TileRequest): Promise<KeptTile | undefined> =>
    request.cut === undefined ? files.find(nameOf(request)) : Promise.resolve(undefined)

  /** A valid tile that is no longer in memory. */
  const findKept = async (request: TileRequest): Promise<MapTile | undefined> => {
    const found = findKnown(request)
    const kept = found === undefined ? undefined : await findOnDisk(request)
    return kept !== undefined && kept.etag === found?.etag ? kept : undefined
  }

  /** The stored columns of the tile, with the row of columns to the north. */
  const readColumns = async ({ world, tx, tz }: TileRequest): Promise<readonly ChunkRecord[]> => {
    const positions: ChunkPos[] = []
    for (let cz = tz * tileColumns - 1; cz < (tz + 1) * tileColumns; cz += 1)
      for (let cx = tx * tileColumns; cx < (tx + 1) * tileColumns; cx += 1) if (isChunkPos({ cx, cz })) positions.push({ cx, cz })
    const found: ChunkRecord[] = []
    for (let from = 0; from < positions.length; from += columnsPerRead) {
      await turns.next()
      const some = positions.slice(from, from + columnsPerRead)
      for (const [at, bytes] of (await chunks.getMany(world, some)).entries()) {
        const pos = some[at]
        if (bytes !== undefined && pos !== undefined) found.push({ ...pos, bytes })
      }
    }
    return found
  }

  /** The tile with that hash: from memory, from disk, or drawn now. */
  const keep = async (request: TileRequest, etag: string, draw: () => Promise<Uint8Array>): Promise<MapTile> => {
    const before = drawn.get(nameOf(request))
    if (before?.etag === etag) return before
    const kept = await findOnDisk(request)
    if (kept?.etag === etag) return kept
    const tile = { etag, png: await draw() }
    if (request.cut === undefined) await files.put(nameOf(request), tile)
    return tile
  }

  const drawOne = async ({ request }: Making): Promise<MapTile | undefined> => {
    const { tx, tz, cut = worldTop } = request
    const config = blocks()
    const columns = await readColumns(request)
    const hash = createHash('sha256').update(JSON.stringify([drawingVersion, cut, config]))
    for (const column of columns) hash.update(`${column.cx},${column.cz},${column.bytes.length};`).update(checksumOf(column))
    if (columns.every(({ cz }) => cz < tz * tileColumns)) return undefined
    const draw = () => pool.run<Uint8Array>({ tx, tz, cut, blocks: config, columns }, { name: 'drawTile' })
    return keep(request, hash.digest('base64url'), draw)
  }

  const isGenerated = (generated: ReadonlySet<number>, place: TilePos): boolean =>
    place.zoom === 0
      ? generated.has(chunkKey(place.tx, place.tz))
      : partsOfTile(place).some((part) => isGenerated(generated, part))

  const joinFour = async (making: Making): Promise<MapTile | undefined> => {
    const { request } = making
    const parts: (MapTile | undefined)[] = []
    for (const place of partsOfTile(request))
      parts.push(isGenerated(making.generated, place) ? await make({ ...making, request: { ...request, ...place } }) : undefined)
    if (parts.every((part) => part === undefined)) return undefined
    const etag = createHash('sha256')
      .update(JSON.stringify([drawingVersion, parts.map((part) => part?.etag ?? '')]))
      .digest('base64url')
    const draw = () => pool.run<Uint8Array>({ parts: parts.map((part) => part?.png) }, { name: 'joinTiles' })
    return keep(request, etag, draw)
  }

  const make = async (making: Making): Promise<MapTile | undefined> => {
    const { request } = making
    const warm = findWarm(request)
    if (warm !== undefined) return warm.tile
    const check = { lookedAtMs: clock.monotonic(), blocks: blocks() }
    const kept = await findKept(request)
    if (kept !== undefined) {
      putLast(drawn, nameOf(request), kept, tilesKept)
      return kept
    }
    if (check.lookedAtMs > making.deadlineMs) throw tookTooLong()
    const tile = request.zoom === 0 ? await drawOne(making) : await joinFour(making)
    return remember(request, tile, check)
  }

  /** The tiles of zoom 0 that have any columns, so that no others are read. */
  const listGenerated = async (request: TileRequest): Promise<ReadonlySet<number>> => {
    const generated = new Set<number>()
    for await (const { cx, czs } of chunks.discovered(request.world, boxOfTile(request)))
      for (const cz of czs) generated.add(chunkKey(Math.floor(cx / tileColumns), Math.floor(cz / tileColumns)))
    return generated
  }

  const begin = async (request: TileRequest): Promise<MapTile | undefined> => {
    const check = { lookedAtMs: clock.monotonic(), blocks: blocks() }
    const deadlineMs = check.lookedAtMs + patienceMs
    const generated = await listGenerated(request)
    return generated.size === 0 ? remember(request, undefined, check) : make({ request, generated, deadlineMs })
  }

  return {
    follow: changes.refresh,
    findWarm,
    get: (request) => {
      const name = nameOf(request)
      const before = underWay.get(name)
      // Work that started before the tile changed may have read old columns.
      if (before?.blocks === blocks() && before.beganAtMs > changes.changedAtMs(request.world.id, request)) return before.tile
      const making: UnderWay = {
        beganAtMs: clock.monotonic(),
        blocks: blocks(),
        tile: begin(request).finally(() => {
          if (underWay.get(name) === making) underWay.delete(name)
        }),
      }
      underWay.set(name, making)
      return making.tile
    },
    close: () => pool.close(),
  }
}
