import {
  readSavedPosition,
  type SavedPosition,
  savedPositionId,
  savedPositions,
} from '../../shared/domain/players/player-state.ts'
import type { WorldLease } from '../../shared/domain/worlds/leases/world-lease.ts'
import { leaseInDoubt } from '../../shared/domain/worlds/store/chunk-store-rules.ts'
import { createBatchWriter } from '../../shared/kernel/background-writes.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { putWrite, type Store } from '../../shared/platform/storage/store.ts'
import type { Body, Placement } from '../interest/cells.ts'

/** Stores the positions of players. Owned by the game loop, which it never blocks. */
export type PositionSaver = {
  /** The last position of a player in this world, even if it is not written yet. Undefined for a new player. */
  read(playerId: string): Promise<SavedPosition | undefined>
  /** Stores the position of a body from now on while `isKept` returns true. */
  follow(body: SavedBody, isKept?: () => boolean): void
  /** Stores the current position. Use it when a player disconnects. */
  note(body: SavedBody): void
  /** Stores the current position for the last time. */
  leave(body: SavedBody): void
  /** Runs in each tick. Regularly checks which bodies have moved, and starts a batch if none is running. */
  step(nowMs: number): void
  /** Writes all pending positions and resolves to their number. Rejects with the AppError of the store, and retries later. */
  flush(): Promise<number>
  /** The number of positions that are not written yet. */
  waiting(): number
}

export type SavedBody = Readonly<Placement> & Pick<Body, 'playerId'>

export type PositionSaverDeps = {
  readonly store: Pick<Store, 'get' | 'commit'>
  readonly worldId: string
  /** Without the lease nothing is written, because another node may have newer positions. */
  readonly lease: Pick<WorldLease, 'isHeld'>
  readonly log: Log
}

/** How often to check the positions of connected players, and the pause after a failure. */
const lookEveryMs = 10_000
const retryAfterMs = 5_000

/** The limit of `Store.commit`. */
const batchMax = 10
/** The number of concurrent batches of a flush. In a hand-over all players wait for the last one. */
const flushedAtOnce = 16

const positionOf = ({ x, y, z, yaw, pitch }: SavedBody): SavedPosition => ({ x, y, z, yaw, pitch })

const isSame = (a: SavedPosition | undefined, b: SavedBody): boolean =>
  a !== undefined && a.x === b.x && a.y === b.y && a.z === b.z && a.yaw === b.yaw && a.pitch === b.pitch

/**
 * Writes positions in batches of ten. Only a flush runs several batches at a time. Positions of players who leave are written at once,
 * those of moving players every ten seconds.
 */
export const createPositionSaver = ({ store, worldId, lease, log }: PositionSaverDeps): PositionSaver => {
  /** The last recorded position of each body in the game. */
  const noted = new Map<SavedBody, SavedPosition | undefined>()
  const keeping = new WeakMap<SavedBody, () => boolean>()
  let lookAtMs = Number.NEGATIVE_INFINITY

  /** By player id. */
  const writer = createBatchWriter<string, SavedPosition>({
    batchMax,
    flushedAtOnce,
    retryAfterMs,
    write: async (batch) => {
      if (!lease.isHeld()) throw leaseInDoubt()
      await store.commit(
        batch.map(([playerId, position]) => putWrite(savedPositions, savedPositionId(worldId, playerId), position)),
      )
      return batch.length
    },
    failed: (err) => log.error({ err }, 'positions of players could not be written; retrying later'),
    recovered: () => log.info({}, 'positions of players are written again'),
  })

  const note = (body: SavedBody): void => {
    if (keeping.get(body)?.() === false || isSame(noted.get(body), body)) return
    const position = positionOf(body)
    noted.set(body, position)
    writer.set(body.playerId, position)
  }

  const look = (): void => {
    for (const body of noted.keys()) note(body)
  }

  return {
    waiting: writer.size,
    read: async (playerId) => writer.get(playerId) ?? readSavedPosition(store, worldId, playerId),
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
      writer.step(nowMs)
    },
    flush: () => {
      look()
      return writer.flush()
    },
  }
}
