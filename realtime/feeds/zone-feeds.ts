import type { AuditLog } from '../../shared/domain/audit/audit-log.ts'
import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import type { BlockRegistry } from '../../shared/domain/worlds/chunks/block-registry.ts'
import type { MarkedZone } from '../../shared/domain/zones/list-zones.ts'
import { type Zone, zoneRecords } from '../../shared/domain/zones/zone.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Store } from '../../shared/platform/storage/store.ts'
import type { BlockPos } from '../../shared/rules/positions.ts'
import type { LiveAccounts } from '../game/players/apply-account-changes.ts'
import type { RealtimeMetrics } from '../metrics/realtime-metrics.ts'
import type { SocketPort } from '../socket/connection.ts'
import type { LoadedColumn } from '../world/columns/loaded-world.ts'
import type { EditJournal } from '../world/edits/edit-journal.ts'
import type { ToldChange } from '../world/edits/tell-changes.ts'
import type { NodeWorld } from '../world/node-world.ts'
import { type AdmittedFeed, authenticateZoneFeed, type FeedRequestHead } from './door/authenticate-feed.ts'
import type { FeedClosing } from './door/feed-closing.ts'
import { findFeedRefusal } from './door/feed-permissions.ts'
import type { OriginRules } from './door/is-own-origin.ts'
import { createFeedEdits } from './edits/feed-edits.ts'
import { createPrepareEdit } from './edits/prepare-edit.ts'
import { createFeedAudit } from './feed-audit.ts'
import { createFeedEnds, type FeedEndsDeps } from './feed-ends.ts'
import type { FeedIndex } from './feed-index.ts'
import type { ChangedBlock, FeedRequest } from './feed-messages.ts'
import { createFeedSocket, type FeedSocket } from './feed-socket.ts'
import { createLiveFeeds } from './live-feeds.ts'
import type { SeenPlayer, ZoneFeed } from './zone-feed.ts'

/** Consecutive changes of one player in one zone. Of a block, only the first `was` and the final type are kept. */
type Run = { readonly by: string; readonly edits: ChangedBlock[]; readonly places: Map<LoadedColumn, Map<number, number>> }

const keyOf = ({ x, y, z }: BlockPos): number => (y << 8) | ((z & 15) << 4) | (x & 15)

const addTo = ({ edits, places }: Run, column: LoadedColumn, block: ChangedBlock): void => {
  const known = places.get(column) ?? new Map<number, number>()
  places.set(column, known)
  const key = keyOf(block)
  const place = known.get(key) ?? edits.length
  known.set(key, place)
  edits[place] = { ...block, was: edits[place]?.was ?? block.was }
}

/** Publishes the changes of a tick to the feeds of their zones, in order. Each message has consecutive changes of one player. */
const createTellFeeds = (index: FeedIndex, registry: Pick<BlockRegistry, 'idOf'>) => {
  const splitByFeed = (changes: readonly ToldChange[]): Map<ZoneFeed, Run[]> => {
    const feeds = new Map<ZoneFeed, Run[]>()
    for (const { x, y, z, index: blockIndex, before, by, column } of changes)
      for (const feed of index.feedsAt(x, y, z)) {
        const runs = feeds.get(feed) ?? []
        feeds.set(feed, runs)
        const last = runs.at(-1)
        const run = last?.by === by ? last : { by, edits: [], places: new Map() }
        if (run !== last) runs.push(run)
        addTo(run, column, { x, y, z, type: registry.idOf(blockIndex), was: registry.idOf(before) })
      }
    return feeds
  }

  return (changes: readonly ToldChange[]): void => {
    if (changes.length === 0) return
    for (const [feed, runs] of splitByFeed(changes)) for (const { by, edits } of runs) feed.publish({ type: 'blocks', edits, by })
  }
}

/** The dependencies of zone feeds in the game. */
type ZoneFeedsDeps = FeedEndsDeps & {
  readonly world: Pick<NodeWorld, 'record' | 'registry' | 'loaded'>
  readonly journal: Pick<EditJournal, 'findRefusal' | 'apply'>
  readonly store: Pick<Store, 'get'>
  readonly audit: AuditLog
  readonly settings: () => Pick<ServerConfig['realtime'], 'messagesPerSecond' | 'messageBurst'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly metrics: Pick<RealtimeMetrics, 'countFeedClosing' | 'countFeedFrame'>
  readonly players: () => Iterable<SeenPlayer>
}

/** All zone feeds of a node. They change only in ticks. */
export type ZoneFeeds = {
  /** Checks an upgrade against the stores as of now. Throws like `authenticateZoneFeed`. */
  admit(head: FeedRequestHead, origins: OriginRules): Promise<AdmittedFeed>
  /** Opens an admitted feed. It gets the zone in the next tick. */
  open(port: SocketPort, admitted: AdmittedFeed): FeedSocket
  /** The number of open sockets. */
  count(): number
  readonly accounts: LiveAccounts
  /** The zones with feeds. */
  zones(): readonly Zone[]
  /** Calls `listener` when a zone gets its first feed. Its record may have changed since the check. */
  onOpened(listener: (zoneId: string) => void): () => void
  /** Applies the current record in the next tick. Undefined: the zone was deleted. */
  zoneRead(id: string, zone: MarkedZone | undefined): void
  /** Publishes the changes of a tick in order. Call it within the tick. */
  tell(changes: readonly ToldChange[]): void
  /** Runs once a tick, after the inbox and before the journal steps. */
  edit(): void
  /** Runs once a tick, at its end. */
  step(nowMs: number): void
  /** The worlds of zones with open sockets, except the node's own. Their feeds only get records and renames. */
  otherWorlds(): ReadonlySet<string>
  closeWorld(name: string, closing: FeedClosing): void
  closeAll(closing: FeedClosing): void
}

/** Five times a second at any tick rate. */
const lookRoundMs = 200

/** Allows a thousand messages per millisecond between the starts of two feeds of a zone. */
const seqsPerMs = 1000

export const createZoneFeeds = (deps: ZoneFeedsDeps): ZoneFeeds => {
  const { world, journal, store, permissions, settings, clock, ids, log, players, enqueue, later } = deps
  const worldName = world.record.name
  const ends = createFeedEnds<FeedSocket>(deps)
  const { sockets, accounts } = ends
  const openedListeners = new Set<(zoneId: string) => void>()
  const startSeq = () => Math.floor(clock.now() * seqsPerMs)
  let tickMs = clock.monotonic()
  let lookRoundAtMs = tickMs
  const live = createLiveFeeds({ worldName, nowMs: () => tickMs, startSeq })

  const findRefusal = (socket: FeedSocket): string | undefined => {
    const { account, grant } = socket
    const need = { permission: 'admin.instances.write', place: { zone: socket.zoneId } } as const
    const refusal = findFeedRefusal(permissions, { account, grant }, need)
    if (refusal !== undefined) return `${refusal.slug}: admin.instances.write`
    const zone = live.find(socket.zoneId)?.zone
    if (zone === undefined) return 'zone-deleted'
    return zone.world === worldName ? undefined : 'world-not-here'
  }
  const readZone = async (id: string): Promise<Zone | undefined> => {
    const zone = (await store.get(zoneRecords, id))?.value
    if (zone === undefined) enqueue(() => live.zoneRead(id, undefined))
    return zone
  }
  const audit = createFeedAudit({ audit: deps.audit, clock, ids, log })
  const { registry, loaded } = world
  const preparation = createPrepareEdit({ registry, loaded, audit, findRefusal, readZone, log })
  const edits = createFeedEdits({ journal, audit, loaded, findRefusal, isLeftOutside: live.isLeftOutside, preparation, later })

  const handle = (socket: FeedSocket, request: FeedRequest): void => {
    if (!socket.isOpen()) return
    if (request.type === 'edit') edits.submit(socket, request)
    else if (request.type === 'renew') ends.renew(socket, request.token)
    else live.find(socket.zoneId)?.resume(socket, request.since)
  }

  // Edits are prepared immediately, so that they wait for one tick and not two. Blocks change within a tick.
  const receive = (socket: FeedSocket, request: FeedRequest): void => {
    const isEdit = request.type === 'edit' && live.find(socket.zoneId)?.readers.has(socket) === true
    if (isEdit) handle(socket, request)
    else enqueue(() => handle(socket, request))
  }

  const join = (socket: FeedSocket): void => {
    if (!socket.isOpen()) return
    const isNew = live.find(socket.zoneId) === undefined
    live.join(socket)
    if (isNew) for (const listener of openedListeners) listener(socket.zoneId)
    ends.checkAgain(socket, socket.admitted.token)
  }

  const leave = (socket: FeedSocket): void => {
    sockets.delete(socket)
    edits.forget(socket)
    live.leave(socket)
  }

  return {
    admit: (head, origins) => authenticateZoneFeed({ ...deps, origins }, head),
    open: (port, admitted) => {
      const socket = createFeedSocket({
        port,
        admitted,
        limits: settings,
        clock,
        lateMs: deps.lateMs,
        metrics: deps.metrics,
        received: receive,
        closed: (from) => enqueue(() => leave(from)),
      })
      sockets.add(socket)
      enqueue(() => join(socket))
      return socket
    },
    count: () => sockets.size,
    accounts,
    zones: live.zones,
    onOpened: (listener) => {
      openedListeners.add(listener)
      return () => openedListeners.delete(listener)
    },
    zoneRead: (id, zone) => enqueue(() => live.zoneRead(id, zone)),
    tell: createTellFeeds(live.index, world.registry),
    edit: edits.step,
    step: (nowMs) => {
      tickMs = nowMs
      ends.beat(nowMs)
      if (nowMs >= lookRoundAtMs) {
        lookRoundAtMs = nowMs + lookRoundMs
        live.lookRound(players)
      }
      live.step()
    },
    otherWorlds: () => {
      const worlds = new Set(Array.from(sockets, ({ admitted }) => admitted.zone.world))
      worlds.delete(worldName)
      return worlds
    },
    closeWorld: (name, closing) => {
      for (const socket of [...sockets]) if (socket.admitted.zone.world === name) socket.close(closing)
    },
    closeAll: ends.closeAll,
  }
}
