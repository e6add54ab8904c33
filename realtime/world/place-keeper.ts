import { type PlayerPlace, placeId, playerPlaces, readPlace } from '../../shared/domain/players/player-place.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import { leaseInDoubt } from '../../shared/domain/worlds/store/chunk-store-rules.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { putWrite, type Store } from '../../shared/platform/storage/store.ts'
import type { Body, Placement } from '../interest/cell.ts'

/** Stores the places of players. Owned by the game loop, which it never blocks. */
export type PlaceKeeper = {
  /** The last place of a player in this world, even if it is not written yet. Undefined for a new player. */
  read(playerId: string): Promise<PlayerPlace | undefined>
  /** Stores the place of a body from now on while `isKept` returns true. */
  follow(body: PlacedBody, isKept?: () => boolean): void
  /** Stores the current place. Use it when a player disconnects. */
  note(body: PlacedBody): void
  /** Stores the current place for the last time. */
  leave(body: PlacedBody): void
  /** Runs in each tick. Regularly checks which bodies have moved, and starts a batch if none is running. */
  step(nowMs: number): void
  /** Writes all pending places and resolves to their number. Rejects with the AppError of the store, and retries later. */
  flush(): Promise<number>
  /** The number of places that are not written yet. */
  waiting(): number
}

export type PlacedBody = Readonly<Placement> & Pick<Body, 'playerId'>

export type PlaceKeeperDeps = {
  readonly store: Pick<Store, 'get' | 'commit'>
  readonly worldId: string
  /** Without the lease nothing is written, because another node may have newer places. */
  readonly lease: Pick<WorldLease, 'isHeld'>
  readonly log: Log
}

/** How often to check the places of connected players, and the pause after a failure. */
const lookEveryMs = 10_000
const retryAfterMs = 5_000

/** The limit of `Store.commit`. */
const batchMax = 10
/** The number of concurrent batches of a flush. In a hand-over all players wait for the last one. */
const flushedAtOnce = 16

const placeOf = ({ x, y, z, yaw, pitch }: PlacedBody): PlayerPlace => ({ x, y, z, yaw, pitch })

const isSame = (a: PlayerPlace | undefined, b: PlacedBody): boolean =>
  a !== undefined && a.x === b.x && a.y === b.y && a.z === b.z && a.yaw === b.yaw && a.pitch === b.pitch

/**
 * Writes places in batches of ten. Only a flush runs several batches at a time. Places of players who leave are written at once,
 * those of moving players every ten seconds.
 */
export const createPlaceKeeper = ({ store, worldId, lease, log }: PlaceKeeperDeps): PlaceKeeper => {
  /** The last recorded place of each body in the game. */
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

  /** All commits have ended when it rejects, so older places cannot overwrite newer ones. */
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
      if (!isFailing) log.error({ err: error }, 'places of players could not be written; retrying later')
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
