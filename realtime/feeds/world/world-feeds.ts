import type { ServerConfig } from '../../../shared/domain/configs/server/server-config.ts'
import { worldRecords } from '../../../shared/domain/worlds/world.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import type { LiveAccounts } from '../../game/players/apply-account-changes.ts'
import type { RealtimeMetrics } from '../../metrics/realtime-metrics.ts'
import type { SocketPort } from '../../socket/connection.ts'
import type { ToldChange } from '../../world/edits/tell-changes.ts'
import type { NodeWorld } from '../../world/node-world.ts'
import type { GameZones } from '../../zones/game-zones.ts'
import { type Admitted, authenticateFeed, type FeedKnock } from '../door/authenticate-feed.ts'
import type { FeedClosing } from '../door/feed-closing.ts'
import type { OriginRules } from '../door/is-own-origin.ts'
import { createFeedEnds, type FeedEndsDeps } from '../feed-ends.ts'
import { createFeedEnd, type FeedEnd, type FeedEndKind } from '../feed-socket.ts'
import type { SeenPlayer } from '../zone-feed.ts'
import { createEditNews, noEdits } from './edit-news.ts'
import { createLooker } from './look-round.ts'
import { createPeopleNews, type SaidLine } from './people-news.ts'
import type { GroundTile } from './tiles-in-view.ts'
import { parseWorldFeedMessage, type WorldFeedRequest } from './world-messages.ts'
import { createWorldReader, type WorldReader, type WorldRound } from './world-reader.ts'
import { createZonePrinter } from './zones-in-view.ts'

/** The dependencies of world feeds in the game. */
export type WorldFeedsDeps = FeedEndsDeps & {
  readonly worldName: string
  readonly world: Pick<NodeWorld, 'registry'>
  readonly tickRate: number
  readonly store: Pick<Store, 'get'>
  readonly settings: () => Pick<ServerConfig['realtime'], 'messagesPerSecond' | 'messageBurst'>
  readonly metrics: Pick<RealtimeMetrics, 'countFeedClosing' | 'countFeedFrame'>
  readonly players: () => Iterable<SeenPlayer>
  readonly zones: Pick<GameZones, 'isKnown' | 'list' | 'revision'>
  /** Takes the tiles that changed since the last call. `any` if there are too many. */
  readonly takeTiles: () => readonly GroundTile[] | 'any' | undefined
}

/** The feeds of a node's world. They change only in ticks. */
export type WorldFeeds = {
  /**
   * Checks an upgrade. Throws like `authenticateFeed`, `not-found` for an unknown world, and `unavailable` for a world on another
   * node.
   */
  admit(knock: FeedKnock & { readonly world: string }, origins: OriginRules): Promise<Admitted>
  open(port: SocketPort, admitted: Admitted): FeedEnd
  count(): number
  readonly accounts: LiveAccounts
  /** Adds chat lines that were sent to clients, from any node. */
  say(lines: readonly SaidLine[]): void
  /** Adds the changed blocks of a tick. */
  tell(changes: readonly ToldChange[]): void
  /** Runs once a tick, at its end. */
  step(nowMs: number): void
  closeAll(closing: FeedClosing): void
}

/** Five times a second at any tick rate. */
const roundMs = 200
const tilesEveryMs = 1000

/** The maximum number of bytes that wait for a client of a world feed. */
const waitingBytesMax = 4 * 2 ** 20

const kind: FeedEndKind<WorldFeedRequest> = { parse: parseWorldFeedMessage, waitingBytesMax }

const notHere = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'No real-time node runs this world at the moment. Try again in a moment.', {
    retryAfterSeconds: 2,
  })

/** Allows a thousand messages per millisecond between the starts of two nodes. */
const seqsPerMs = 1000

export const createWorldFeeds = (deps: WorldFeedsDeps): WorldFeeds => {
  const { worldName, store, zones, players, takeTiles, clock, enqueue, metrics } = deps
  const ends = createFeedEnds<FeedEnd>(deps)
  const readers = new Map<FeedEnd, WorldReader>()
  const printZone = createZonePrinter(worldName)
  const looker = createLooker()
  let seq = Math.floor(clock.now() * seqsPerMs)
  let tilesChangedSeq = seq
  let zonesRevision = -1
  let roundAtMs = clock.monotonic()
  let tilesAtMs = roundAtMs
  /** Readers that wait for the round, and how many are served each tick. */
  let queue: WorldReader[] = []
  let share = 0
  let isLooking = false

  const peopleNews = createPeopleNews({ clock, nextSeq: () => count(true), lastSeq: () => seq })
  const noNews = peopleNews.take(undefined)
  const editNews = createEditNews(deps.world.registry)

  const createRound = (parts: Partial<WorldRound>): WorldRound => ({
    look: looker.first,
    playersSeq: seq,
    tiles: undefined,
    tilesSeq: seq,
    tilesChangedSeq,
    zonesSeq: seq,
    haveZonesChanged: false,
    people: noNews,
    edits: noEdits,
    editsSeq: seq,
    zones: zones.isKnown() ? zones.list : undefined,
    ...parts,
    framesByView: new Map(),
    editFramesByView: new Map(),
  })
  let round = createRound({})

  const count = (hasNews: boolean): number => {
    if (hasNews) seq += 1
    return seq
  }

  const findTiles = (nowMs: number): WorldRound['tiles'] => {
    if (nowMs < tilesAtMs) return undefined
    const tiles = takeTiles()
    if (tiles !== undefined) tilesAtMs = nowMs + tilesEveryMs
    return tiles
  }

  /** Changed tiles are counted even without readers, for readers that return. */
  const lookRound = (nowMs: number): void => {
    const tiles = findTiles(nowMs)
    const wasLooking = isLooking
    isLooking = readers.size > 0
    const look = looker.look(isLooking ? players() : [])
    const playersSeq = count(look.hasChanges)
    const tilesSeq = count(tiles !== undefined)
    if (tiles !== undefined) tilesChangedSeq = tilesSeq
    const people = peopleNews.take(wasLooking ? look : undefined)
    const edits = editNews.take()
    const editsSeq = count(edits !== noEdits)
    const haveZonesChanged = zones.revision() !== zonesRevision
    zonesRevision = zones.revision()
    const zonesSeq = count(haveZonesChanged)
    round = createRound({ look, playersSeq, tiles, tilesSeq, haveZonesChanged, zonesSeq, people, edits, editsSeq })
  }

  const serve = (count: number): void => {
    for (const reader of queue.splice(0, count)) reader.serve(round)
  }

  const handle = (socket: FeedEnd, request: WorldFeedRequest): void => {
    const reader = readers.get(socket)
    if (reader === undefined || !socket.isOpen()) return
    if (request.type === 'renew') ends.renew(socket, request.token)
    else if (request.type === 'resume') reader.resume(request.since)
    else {
      const { edits = false, type: _, ...view } = request
      reader.look(view, edits)
    }
  }

  const leave = (socket: FeedEnd): void => {
    ends.sockets.delete(socket)
    readers.delete(socket)
  }

  return {
    admit: async ({ world, ...knock }, origins) => {
      const need = { permission: 'admin.worlds.read', place: { world } } as const
      const admitted = await authenticateFeed({ ...deps, origins }, knock, need)
      if (world === worldName) return admitted
      if ((await store.get(worldRecords, world)) === undefined)
        throw new AppError('not-found', 'not-found', 'There is no world with that name.')
      throw notHere()
    },
    open: (port, admitted) => {
      const socket: FeedEnd = createFeedEnd<WorldFeedRequest>({
        port,
        admitted,
        limits: deps.settings,
        clock,
        lateMs: deps.lateMs,
        metrics,
        kind,
        received: (request) => enqueue(() => handle(socket, request)),
        closed: () => enqueue(() => leave(socket)),
      })
      ends.sockets.add(socket)
      enqueue(() => {
        if (!socket.isOpen()) return
        readers.set(socket, createWorldReader({ reader: socket, printZone }))
        ends.checkAgain(socket, admitted.token)
      })
      return socket
    },
    count: () => ends.sockets.size,
    accounts: ends.accounts,
    say: peopleNews.say,
    tell: (changes) => {
      for (const reader of readers.values())
        if (reader.hasEdits()) {
          editNews.add(changes)
          return
        }
    },
    step: (nowMs) => {
      ends.beat(nowMs)
      // The first reader starts a round.
      if (nowMs >= roundAtMs || (!isLooking && readers.size > 0)) {
        roundAtMs = nowMs + roundMs
        serve(queue.length)
        lookRound(nowMs)
        queue = [...readers.values()]
        share = Math.ceil((queue.length * 1000) / (deps.tickRate * roundMs))
      }
      serve(share)
      for (const reader of readers.values()) if (reader.isNew()) reader.serve(round)
    },
    closeAll: ends.closeAll,
  }
}
