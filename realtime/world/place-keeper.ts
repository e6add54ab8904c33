import { type PlayerPlace, placeId, playerPlaces, readPlace } from '../../shared/domain/players/player-place.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import { leaseInDoubt } from '../../shared/domain/worlds/store/chunk-store-rules.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { putWrite, type Store } from '../../shared/platform/storage/store.ts'
import type { Body, Placement } from '../interest/cell.ts'

/** Who is where, kept in the store. Owned by the game loop, which it never holds up. */
export type PlaceKeeper = {
  /** Where a player was last in this world, written already or not; undefined for one who was never here. */
  read(playerId: string): Promise<PlayerPlace | undefined>
  /** Keeps the place of a body from now on, as it moves, at times when `isKept` says so: always by default. */
  follow(body: PlacedBody, isKept?: () => boolean): void
  /** Keeps its place as it is at this moment; for one whose player is gone for a while. */
  note(body: PlacedBody): void
  /** The same, for the last time. */
  leave(body: PlacedBody): void
  /** In every tick: looks at who has moved, now and then, and begins a batch when there is none under way. */
  step(nowMs: number): void
  /** Writes what is not written yet, and resolves to the number of places; rejects with the store's AppError, and tries again later. */
  flush(): Promise<number>
  /** Places that are not written yet. */
  waiting(): number
}

export type PlacedBody = Readonly<Placement> & Pick<Body, 'playerId'>

export type PlaceKeeperDeps = {
  readonly store: Pick<Store, 'get' | 'commit'>
  readonly worldId: string
  /** Without it nothing is written: somebody else may know better where players are. */
  readonly lease: Pick<WorldLease, 'isHeld'>
  readonly log: Log
}

/** How often places of those who are in the game are looked at, and how long to wait after a failure. */
const lookEveryMs = 10_000
const retryAfterMs = 5_000

/** What `Store.commit` takes. */
const batchMax = 10
/** Batches of a flush that are under way together: in a hand-over all players stand still until the last one is written. */
const flushedAtOnce = 16

const placeOf = ({ x, y, z, yaw, pitch }: PlacedBody): PlayerPlace => ({ x, y, z, yaw, pitch })

const isSame = (a: PlayerPlace | undefined, b: PlacedBody): boolean =>
  a !== undefined && a.x === b.x && a.y === b.y && a.z === b.z && a.yaw === b.yaw && a.pitch === b.pitch

/** Keeps places in batches of ten, one at a time but in a flush: of those who left at once, of those who moved every ten seconds. */
export const createPlaceKeeper = ({ store, worldId, lease, log }: PlaceKeeperDeps): PlaceKeeper => {
  /** What was last noted of each body in the game. */
  const noted = new Map<PlacedBody, PlayerPlace | undefined>()
  const keeping = new WeakMap<PlacedBody, () => boolean>()
  const waiting = new Map<string, PlayerPlace>()
  let writing = new Map<string, PlayerPlace>()
  let underWay: Promise<number> | undefined
  let isFailing = false
  let lookAtMs = Number.NEGATIVE_INFINITY
  let writeFromMs = Number.NEGATIVE_INFINITY

  const put = (body: PlacedBody): PlayerPlace => {
    const place = placeOf(body)
    waiting.set(body.playerId, place)
    return place
  }

  const take = (batches: number): void => {
    for (const [playerId, place] of waiting) {
      writing.set(playerId, place)
      waiting.delete(playerId)
      if (writing.size === batches * batchMax) return
    }
  }

  /** When it rejects, nothing is under way any more: what is newer never arrives before it. */
  const commit = async (): Promise<void> => {
    const writes = Array.from(writing, ([playerId, place]) => putWrite(playerPlaces, placeId(worldId, playerId), place))
    const commits: Promise<unknown>[] = []
    for (let at = 0; at < writes.length; at += batchMax) commits.push(store.commit(writes.slice(at, at + batchMax)))
    for (const done of await Promise.allSettled(commits)) if (done.status === 'rejected') throw done.reason
  }

  const write = async (batches: number): Promise<number> => {
    take(batches)
    const { size } = writing
    try {
      if (!lease.isHeld()) throw leaseInDoubt()
      await commit()
      if (isFailing) log.info({}, 'places of players are written again')
      isFailing = false
      return size
    } catch (error) {
      for (const [playerId, place] of writing) if (!waiting.has(playerId)) waiting.set(playerId, place)
      if (!isFailing) log.error({ err: error }, 'places of players could not be written; they are tried again later')
      isFailing = true
      throw error
    }
  }

  const writeNext = (batches: number): Promise<number> => {
    underWay ??= write(batches).finally(() => {
      writing = new Map()
      underWay = undefined
    })
    return underWay
  }

  const note = (body: PlacedBody): void => {
    if (keeping.get(body)?.() !== false && !isSame(noted.get(body), body)) noted.set(body, put(body))
  }

  const look = (): void => {
    for (const body of noted.keys()) note(body)
  }

  return {
    waiting: () => waiting.size + writing.size,
    read: async (playerId) => waiting.get(playerId) ?? writing.get(playerId) ?? readPlace(store, worldId, playerId),
    follow: (body, isKept) => {
      noted.set(body, undefined)
      if (isKept !== undefined) keeping.set(body, isKept)
    },
    note,
    leave: (body) => {
      note(body)
      noted.delete(body)
    },
    step: (nowMs) => {
      if (nowMs >= lookAtMs) {
        lookAtMs = nowMs + lookEveryMs
        look()
      }
      if (underWay !== undefined || waiting.size === 0 || nowMs < writeFromMs) return
      writeNext(1).catch(() => {
        writeFromMs = nowMs + retryAfterMs
      })
    },
    flush: async () => {
      look()
      let places = 0
      while (underWay !== undefined || waiting.size > 0) places += await writeNext(flushedAtOnce)
      return places
    },
  }
}
