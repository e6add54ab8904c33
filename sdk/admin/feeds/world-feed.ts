import type { SessionState } from '../../connection/session-events.ts'
import type { EventSource } from '../../events/event-source.ts'
import type { WorldFeedNews } from '../generated/feed-messages.ts'
import type { FeedMessage } from './feed-link.ts'
import { keepFeed } from './keep-feed.ts'
import type { FeedCaller, FeedOptions, FeedStateEvents } from './open-feed.ts'
import type { SeqTracker } from './seq-tracker.ts'

/** A view in blocks, both ends included. */
export type WorldView = { readonly minX: number; readonly minZ: number; readonly maxX: number; readonly maxZ: number }

/** Events of the feed of a world, by name. */
export type WorldFeedEvents = WorldFeedNews & FeedStateEvents

/** Options of the feed of a world, with the first view. */
export type WorldFeedOptions = FeedOptions & {
  readonly view: WorldView
  /** Whether to receive `edits`: changed blocks in view. False by default. */
  readonly edits?: boolean
}

type FeedPlayer = WorldFeedNews['players']['players'][number]
type FeedZone = WorldFeedNews['zones']['zones'][number]

/** A part of a world, live: players, changed map tiles, zones, chat and changed blocks. */
export type WorldFeed = EventSource<WorldFeedEvents> & {
  state(): SessionState
  /** Players in view, as of the last message. */
  players(): readonly FeedPlayer[]
  /** Zones in view, as of the last message. */
  zones(): readonly FeedZone[]
  /** Changes the view, also after lost connections. */
  look(view: WorldView): void
  /** Closes the feed with its connection, timers and listeners. */
  close(): void
  /** Drops the connection like a lost network. The feed reconnects by itself. */
  drop(): void
}

const events: readonly (keyof WorldFeedNews)[] = ['players', 'tiles', 'zones', 'chat', 'joined', 'left', 'edits']

const isOf = <K extends keyof WorldFeedNews>(message: FeedMessage, type: K): message is FeedMessage & WorldFeedNews[K] =>
  message.type === type

/**
 * Numbers increase, but not by one, because each reader has a view of its own. After a reconnect, a request stays pending until
 * it is answered.
 */
const createWorldSeqs = (): SeqTracker => {
  let last: number | undefined
  let owed: number | undefined
  return {
    begin: () => {
      owed ??= last
      return owed
    },
    take: (message) => {
      if (typeof message.seq === 'number') last = message.seq
      if (isOf(message, 'tiles') && message.since === owed) owed = undefined
      return true
    },
  }
}

type Listed = { readonly reset?: true; readonly gone: readonly string[] }

const update = <T>(known: Map<string, T>, { reset, gone }: Listed, news: readonly (readonly [string, T])[]): void => {
  if (reset) known.clear()
  for (const id of gone) known.delete(id)
  for (const [id, one] of news) known.set(id, one)
}

/**
 * Opens the feed of a world and resolves with the first list of players in view. After a lost connection it reconnects,
 * restores its view, requests the tiles that changed since, and sends each renewed token. A lost permission and the end of the
 * sign-in end it.
 */
export const openWorldFeed = async (
  caller: FeedCaller,
  world: string,
  { view, edits = false, ...options }: WorldFeedOptions,
): Promise<WorldFeed> => {
  const players = new Map<string, FeedPlayer>()
  const zones = new Map<string, FeedZone>()
  let looking = view

  const feed = await keepFeed<WorldFeedEvents>(
    caller,
    {
      path: `/api/admin/ws/worlds/${encodeURIComponent(world)}`,
      probe: `/api/admin/worlds/${encodeURIComponent(world)}/map/0/0/0.png`,
      events,
      seqs: createWorldSeqs(),
      begins: ({ type }) => type === 'players',
      hello: () => ({ type: 'view', ...looking, edits }),
      receive: (message) => {
        if (isOf(message, 'players'))
          update(
            players,
            message,
            message.players.map((player) => [player.playerId, player]),
          )
        else if (isOf(message, 'zones'))
          update(
            zones,
            message,
            message.zones.map((zone) => [zone.id, zone]),
          )
        return undefined
      },
      onLost: () => undefined,
    },
    options,
  )

  return {
    on: feed.on,
    events: feed.events,
    state: feed.state,
    players: () => [...players.values()],
    zones: () => [...zones.values()],
    look: ({ minX, minZ, maxX, maxZ }) => {
      looking = { minX, minZ, maxX, maxZ }
      feed.send({ type: 'view', ...looking, edits })
    },
    close: feed.close,
    drop: feed.drop,
  }
}
