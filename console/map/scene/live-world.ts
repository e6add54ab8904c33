import { batch, type Signal, signal } from '@preact/signals'
import { openWorldFeed, type WorldFeed, type WorldFeedEvents } from '../../../sdk/admin.ts'
import { ProblemError } from '../../../sdk/auth.ts'
import { call } from '../../state/api.ts'
import { session } from '../../state/session.ts'
import { addZones, type MapZones } from './map-zones.ts'
import { type Area, doAreasMeet } from './view.ts'

export type MapPlayer = ReturnType<WorldFeed['players']>[number]

/** A live copy of a world, from its feed. */
export type LiveWorld = {
  readonly players: Signal<readonly MapPlayer[]>
  /** Zones that were in view or in the list. */
  readonly zones: Signal<MapZones>
  /** Why the feed is down; undefined while it is live. */
  readonly trouble: Signal<LiveTrouble | undefined>
  look(area: Area): void
  close(): void
}

/** `stopped`: no node runs the world. `away`: its node does not answer. */
export type LiveTrouble =
  | { readonly kind: 'opening' | 'stopped' | 'away' | 'lost' }
  | { readonly kind: 'refused'; readonly text: string }

type Options = {
  readonly world: string
  readonly area: Area
  readonly onTiles: (places: TileNews) => void
  /** A zone in view is gone, or everything may have changed. */
  readonly onZonesLost: () => void
  readonly onChat?: (said: WorldFeedEvents['chat']) => void
  readonly onMoved?: (players: WorldFeedEvents['joined']['players'], way: 'joined' | 'left') => void
}

type TileNews = readonly { readonly zoom: number; readonly tx: number; readonly tz: number }[] | undefined

const retryMs = 3_000
/** Browsers do not tell a page why a socket fails to open. */
const awayAfterMs = 3_000

/** Follows a world until closed. Retries while its node is unreachable or missing. */
export const followWorld = ({ world, area, onTiles, onZonesLost, onChat, onMoved }: Options): LiveWorld => {
  const players = signal<readonly MapPlayer[]>([])
  const zones = signal<MapZones>(new Map())
  const trouble = signal<LiveTrouble | undefined>({ kind: 'opening' })
  const over = new AbortController()
  let looking = area
  let feed: WorldFeed | undefined
  let wasLive = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const listen = (opened: WorldFeed): void => {
    opened.on('players', () => {
      players.value = opened.players()
    })
    opened.on('chat', (said) => onChat?.(said))
    opened.on('joined', ({ players: names }) => onMoved?.(names, 'joined'))
    opened.on('left', ({ players: names }) => onMoved?.(names, 'left'))
    opened.on('tiles', ({ tiles, reset }) => onTiles(reset ? undefined : tiles))
    opened.on('zones', ({ zones: news, gone, reset }) => {
      // The feed also removes zones that leave the view. A zone removed within the view was deleted or moved.
      const deleted = gone.filter((id) => {
        const zone = zones.peek().get(id)
        return zone !== undefined && doAreasMeet(zone.area, looking)
      })
      zones.value = addZones(zones.peek(), news, deleted)
      if (reset) onZonesLost()
    })
    opened.on('state', (state) => {
      if (over.signal.aborted) return
      if (state.name === 'ended') retry({ kind: 'refused', text: state.text })
      else tell(state.name === 'live')
    })
    tell(opened.state().name === 'live')
  }
  const tell = (isLive: boolean): void => {
    wasLive ||= isLive
    if (isLive) trouble.value = undefined
    else if (trouble.peek() === undefined) trouble.value = { kind: 'lost' }
  }
  const retry = (why: LiveTrouble): void => {
    batch(() => {
      trouble.value = why
      players.value = []
    })
    timer = setTimeout(() => void open(), retryMs)
  }
  const open = async (): Promise<void> => {
    const current = session.peek()
    if (!('me' in current)) return
    const awayTimer = setTimeout(() => {
      if (trouble.peek()?.kind === 'opening') trouble.value = { kind: 'away' }
    }, awayAfterMs)
    try {
      // Avoids opening a socket that no node accepts, because browsers log an error for it.
      const { items } = (await call('GET /api/realtime/nodes', { signal: over.signal })).body
      if (over.signal.aborted) return
      if (!items.some((node) => node.world === world)) return retry({ kind: 'stopped' })
      feed = await openWorldFeed(current.me, world, { view: looking, signal: over.signal })
      if (over.signal.aborted) feed.close()
      else listen(feed)
      feed.look(looking)
    } catch (error) {
      if (over.signal.aborted) return
      if (error instanceof ProblemError) retry({ kind: 'refused', text: error.problem.detail ?? error.problem.title })
      else retry({ kind: wasLive ? 'lost' : 'away' })
    } finally {
      clearTimeout(awayTimer)
    }
  }
  void open()

  return {
    players,
    zones,
    trouble,
    look: (next) => {
      looking = next
      feed?.look(next)
    },
    close: () => {
      over.abort()
      clearTimeout(timer)
      feed?.close()
    },
  }
}
