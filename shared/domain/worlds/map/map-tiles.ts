import { createHash } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { createThreadPool } from '../../../kernel/thread-pool.ts'
import type { Turns } from '../../../kernel/turns.ts'
import { moduleBeside } from '../../../platform/process/module-beside.ts'
import { type ChunkPos, isChunkPos } from '../../../rules/positions.ts'
import type { BlocksConfig } from '../blocks-config.ts'
import { chunkRecord } from '../chunks/chunk-record.ts'
import type { ChunkRecord, ChunkStore, WorldRef } from '../store/chunk-store.ts'
import type { KeptTile, TileFiles } from './files/tile-files.ts'
import type { TileChanges } from './tile-changes.ts'
import { boxOfTile, partsOfTile, type TilePlace, tileColumns } from './tile-places.ts'
import type { DrawTileJob, JoinTilesJob } from './tile-worker.ts'

/** Goes up when the same columns are drawn in another way. */
const drawingVersion = 1

/** For how long a tile of each zoom counts without a look at what it is made of, where no node tells of changes, and where one does. */
const trustMs = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000]
const followedMs = 300_000

/** Tiles that are kept in memory: some 30 kB each; and those of which is kept what they were made of. */
const tilesKept = 1_000
const knownMax = 20_000
const columnsPerRead = 32
/** An answer comes before a function or a proxy gives up; what is drawn by then is kept. */
const patienceMs = 20_000
const threads = 1

/** A tile as PNG, and the hash of what it is made of. */
export type MapTile = { readonly etag: string; readonly png: Uint8Array }

export type TileRequest = TilePlace & { readonly world: WorldRef; readonly cut: number | undefined }

export type MapTiles = {
  /** Takes in which tiles nodes say have changed; before either of the others. Never rejects. */
  follow(): Promise<void>
  /** The tile while it is as it was a moment ago; undefined where it must be looked at. */
  findWarm(request: TileRequest): { readonly tile: MapTile | undefined } | undefined
  /** Undefined where nothing is generated. Throws AppError `unavailable` where it takes too long: what was done is kept, and the next try goes on. */
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

/** What a tile was made of when it was looked at; an empty one has no `etag`. */
/** `blocks`: the config by which it was drawn, or would be; another gives it other colours. */
type Known = { readonly etag: string | undefined; readonly lookedAtMs: number; readonly blocks: BlocksConfig }
type UnderWay = { readonly tile: Promise<MapTile | undefined>; readonly beganAtMs: number; readonly blocks: BlocksConfig }
type Making = { readonly request: TileRequest; readonly generated: ReadonlySet<string>; readonly deadlineMs: number }

const worldTop = 255
const nameOf = ({ world, zoom, tx, tz, cut }: TileRequest): string => `${world.id}/${cut ?? 'all'}/${zoom}/${tx}_${tz}`
const placeOf = (tx: number, tz: number): string => `${tx},${tz}`
const tookTooLong = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'The map of so much land is still being drawn; ask again in a moment.', {
    retryAfterSeconds: 1,
  })

/** A record ends with the checksum of what is in it: no more of it need be read to tell two apart. */
const checksumOf = ({ bytes }: ChunkRecord): Uint8Array => bytes.subarray(-chunkRecord.checksumBytes)

/** Tiles drawn from stored columns, in threads; cached by what they are made of. An edit is stored before it is answered, so stored is live. */
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
    looked: Pick<Known, 'lookedAtMs' | 'blocks'>,
  ): MapTile | undefined => {
    const name = nameOf(request)
    putLast(known, name, { etag: tile?.etag, ...looked }, knownMax)
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

  /** Cut tiles are for a moment: on disk there are no more tiles than the world has. */
  const findOnDisk = (request: TileRequest): Promise<KeptTile | undefined> =>
    request.cut === undefined ? files.find(nameOf(request)) : Promise.resolve(undefined)

  /** One that is true and not in memory any more. */
  const findKept = async (request: TileRequest): Promise<MapTile | undefined> => {
    const found = findKnown(request)
    const kept = found === undefined ? undefined : await findOnDisk(request)
    return kept !== undefined && kept.etag === found?.etag ? kept : undefined
  }

  /** What of it lies in the store, with the row of columns to the north. */
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

  /** The tile of that hash: as it is known, as it lies on disk, or drawn now. */
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

  const isGenerated = (generated: ReadonlySet<string>, place: TilePlace): boolean =>
    place.zoom === 0
      ? generated.has(placeOf(place.tx, place.tz))
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
    const looked = { lookedAtMs: clock.monotonic(), blocks: blocks() }
    const kept = await findKept(request)
    if (kept !== undefined) {
      putLast(drawn, nameOf(request), kept, tilesKept)
      return kept
    }
    if (looked.lookedAtMs > making.deadlineMs) throw tookTooLong()
    const tile = request.zoom === 0 ? await drawOne(making) : await joinFour(making)
    return remember(request, tile, looked)
  }

  /** The tiles of zoom 0 with any column, so that nothing else is looked into. */
  const listGenerated = async (request: TileRequest): Promise<ReadonlySet<string>> => {
    const generated = new Set<string>()
    for await (const { cx, czs } of chunks.discovered(request.world, boxOfTile(request)))
      for (const cz of czs) generated.add(placeOf(Math.floor(cx / tileColumns), Math.floor(cz / tileColumns)))
    return generated
  }

  const begin = async (request: TileRequest): Promise<MapTile | undefined> => {
    const looked = { lookedAtMs: clock.monotonic(), blocks: blocks() }
    const deadlineMs = looked.lookedAtMs + patienceMs
    const generated = await listGenerated(request)
    return generated.size === 0 ? remember(request, undefined, looked) : make({ request, generated, deadlineMs })
  }

  return {
    follow: changes.refresh,
    findWarm,
    get: (request) => {
      const name = nameOf(request)
      const before = underWay.get(name)
      // What began before the tile changed may have read what it was.
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
