import { serverUrl, session } from '../../state/session.ts'
import type { TilePos } from './tile-grid.ts'

type Tile = {
  readonly place: TilePos
  /** Undefined if nothing is generated or the tile is not loaded yet. */
  picture?: ImageBitmap
  state: 'wanted' | 'loading' | 'shown'
  /** The tile changed while it was loading. */
  isOld: boolean
  /** The number of the last frame that needed it. */
  frame: number
  /** Earliest time of the next request, by the clock of the page. */
  notBefore: number
}

/** The tiles of one world at one height, loaded as they come into view. */
export type Tiles = {
  /** Begins a frame. Tiles that return to the view are checked for changes. */
  begin(): void
  get(place: TilePos): ImageBitmap | undefined
  /** Returns a loaded tile without a request. */
  peek(place: TilePos): ImageBitmap | undefined
  reload(places: readonly TilePos[] | undefined): void
  close(): void
}

const atOnce = 4
const keptMax = 400
const retryMs = 2_000

const nameOf = ({ zoom, tx, tz }: TilePos): string => `${zoom}/${tx}/${tz}`

/** One tile; `picture` is undefined where nothing is generated. `name` is `zoom/tx/tz`. */
export const fetchTile = async (world: string, name: string, height: number | undefined, signal: AbortSignal) => {
  const current = session.peek()
  const token = 'me' in current ? current.me.token() : ''
  const query = height === undefined ? '' : `?y=${height}`
  // Revalidates with the ETag, which is cheap for unchanged tiles.
  const answer = await fetch(`${serverUrl}/api/admin/worlds/${encodeURIComponent(world)}/map/${name}.png${query}`, {
    headers: { Authorization: `Bearer ${token}` },
    cache: 'no-cache',
    signal,
  })
  // No tiles exist beyond the edge of a world.
  if (answer.status === 204 || answer.status === 400) return { picture: undefined }
  if (answer.ok) return { picture: await createImageBitmap(await answer.blob()) }
  return { retryMs: Number(answer.headers.get('retry-after') ?? 0) * 1_000 || retryMs }
}

export const createTiles = (world: string, height: number | undefined, changed: () => void): Tiles => {
  const tiles = new Map<string, Tile>()
  const over = new AbortController()
  let frame = 0
  let loading = 0

  const load = async (tile: Tile): Promise<void> => {
    loading += 1
    tile.state = 'loading'
    tile.isOld = false
    try {
      const loaded = await fetchTile(world, nameOf(tile.place), height, over.signal)
      if ('picture' in loaded) {
        tile.picture?.close()
        if (loaded.picture === undefined) delete tile.picture
        else tile.picture = loaded.picture
        tile.state = tile.isOld ? 'wanted' : 'shown'
      } else again(tile, loaded.retryMs)
    } catch {
      if (!over.signal.aborted) again(tile, retryMs)
    }
    loading -= 1
    if (over.signal.aborted) return
    changed()
    next()
  }
  const again = (tile: Tile, afterMs: number): void => {
    tile.state = 'wanted'
    tile.notBefore = performance.now() + afterMs
    setTimeout(next, afterMs + 1)
  }
  const next = (): void => {
    if (over.signal.aborted) return
    for (const tile of tiles.values()) {
      if (loading >= atOnce) return
      if (tile.state === 'wanted' && tile.frame === frame && tile.notBefore <= performance.now()) void load(tile)
    }
  }
  /** Removes the least recently used tiles first. */
  const prune = (): void => {
    if (tiles.size <= keptMax) return
    for (const [name, tile] of [...tiles].sort(([, one], [, other]) => one.frame - other.frame)) {
      // Keeps the tiles of the last frame; the next one needs them.
      if (tiles.size <= keptMax || tile.frame >= frame - 1) return
      tile.picture?.close()
      tiles.delete(name)
    }
  }

  return {
    begin: () => {
      frame += 1
      prune()
      queueMicrotask(next)
    },
    get: (place) => {
      const name = nameOf(place)
      const tile = tiles.get(name) ?? { place, state: 'wanted', isOld: false, frame, notBefore: 0 }
      tiles.set(name, tile)
      if (tile.frame < frame - 1 && tile.state === 'shown') tile.state = 'wanted'
      tile.frame = frame
      return tile.picture
    },
    peek: (place) => tiles.get(nameOf(place))?.picture,
    reload: (places) => {
      const old = places === undefined ? [...tiles.values()] : places.map((place) => tiles.get(nameOf(place)))
      for (const tile of old) {
        if (tile?.state === 'shown') tile.state = 'wanted'
        else if (tile !== undefined) tile.isOld = true
      }
      changed()
    },
    close: () => {
      over.abort()
      for (const { picture } of tiles.values()) picture?.close()
      tiles.clear()
    },
  }
}
