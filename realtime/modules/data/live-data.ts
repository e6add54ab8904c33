import { batchesAtOnce, type FencedWrites, writesMax } from '../../../shared/domain/modules/data/data-fence.ts'
import type { DataKind, StoredData } from '../../../shared/domain/modules/data/data-kind.ts'
import type { DataKey, DataRecord, ModuleData } from '../../../shared/domain/modules/data/module-data.ts'
import type { WorldLease } from '../../../shared/domain/worlds/leases/world-lease.ts'
import { leaseInDoubt } from '../../../shared/domain/worlds/store/chunk-store-rules.ts'
import { createBatchWriter } from '../../../shared/kernel/background-writes.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { createSharedRuns } from '../../../shared/kernel/queue.ts'
import { putWrite, type Store, type Version, type Write } from '../../../shared/platform/storage/store.ts'

/** A value in memory that a module changes in place. */
export type LiveValue = {
  /** Read it at each use: a change by an administrator replaces it. */
  value: unknown
  /** Why the value cannot be stored, such as a number that is not in the schema. */
  findFault(): string | undefined
}

type Live = LiveValue & {
  readonly module: string
  key: DataKey
  dataVersion: number
  /** The version in the store; `null` if there is none. */
  version: Version | null
  /** The value as last written or read, as JSON. */
  written: string
  /** The value of the last write without an answer, as JSON. The store may have it. */
  unanswered: string | undefined
  /** Of a value that cannot be written: its JSON. It is reported once. */
  refused: string | undefined
  isKept: () => boolean
  /** When it was released, on the monotonic clock. */
  releasedMs: number | undefined
}

/** Values of modules in memory, for players and worlds. Owned by the game loop, which it never blocks. */
export type LiveData = {
  /** A value that is in memory, even if its player has left a moment ago. */
  find(key: Pick<DataKey, 'collection' | 'id'>): LiveValue | undefined
  /** Whether `hold` uses the value in memory for a player whose data is kept, so that `load` does not read it. */
  isHeld(key: Pick<DataKey, 'collection' | 'id'>): boolean
  /** The value in the store for `hold`; undefined if it is held or new. */
  load(key: DataKey): Promise<DataRecord | undefined>
  /** Keeps a value in memory and writes its changes while `isKept` returns true. A value in memory wins over a loaded one. */
  hold(module: string, key: DataKey, loaded: DataRecord | undefined, isKept?: () => boolean): LiveValue
  /** Writes the value soon. It stays in memory for a while, for players who return. */
  release(key: Pick<DataKey, 'collection' | 'id'>, nowMs: number): void
  /** Replaces a value, from a declaration that may be newer. Throws AppError `unprocessable` if it does not fit. */
  replace(key: DataKey, value: unknown): void
  /**
   * Reads all values by the declarations of new versions of their modules. A value that the new version cannot read is set aside, and
   * starts again with the defaults. A restored value replaces the one in memory. Flush first, so that nothing is lost.
   */
  adapt(
    kindOf: (module: string, collection: string) => DataKind | undefined,
    restoredOf: (key: DataKey) => DataRecord | undefined,
  ): void
  /**
   * Makes 1 to 10 writes to records of a module, all or nothing. The values that the module has changed until then are in the same commit,
   * or written before it if they are too many. Rejects with the AppError of the store.
   */
  commit(module: string, writes: readonly Write[]): Promise<Versions>
  /** Runs in each tick. Looks at a part of the values, and starts a batch if none is running. */
  step(nowMs: number): void
  /** Writes all changed values and resolves to their number. Rejects with the AppError of the store. */
  flush(): Promise<number>
  /** The number of values that are not written yet. */
  waiting(): number
}

type Versions = readonly (Version | null)[]

export type LiveDataDeps = {
  readonly store: Pick<Store, 'commit'>
  readonly data: Pick<ModuleData, 'read'>
  /** Raises the fence of this world, with the first use. */
  readonly fenced: () => Promise<FencedWrites>
  readonly lease: Pick<WorldLease, 'isHeld'>
  readonly tickRate: number
  /** A value of a module was written. */
  readonly wrote: (module: string) => void
  /** A value that a module made cannot be written. */
  readonly refused: (module: string, id: string, why: string) => void
  readonly log: Log
}

/** How often to look at each value. */
const lookEverySeconds = 10
const retryAfterMs = 5_000
/** How long the value of a player who left stays in memory: longer than any read of a returning player. */
const retainedMs = 60_000

/** Handlers of modules learn in the next step that a player has left. */
const stepsAfterRelease = 2

const nameOf = ({ collection, id }: Pick<DataKey, 'collection' | 'id'>): string => `${collection.name}/${id}`

const describeUnfit = (error: unknown): string => (error instanceof AppError ? error.publicDetail : String(error))

/** Whether a precondition of a write was not met. Not for a lost lease. */
export const isConflict = (error: unknown): boolean =>
  error instanceof AppError && error.kind === 'conflict' && error.slug === 'conflict'

/** Whether a commit may succeed later, or never again on this node, whatever it writes. */
const isOutage = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'unavailable' || error.slug === 'lease-lost')

/** Writes to records that wait for the changed values of their module. */
type RecordWrites = {
  readonly writes: readonly Write[]
  readonly resolve: (versions: Versions | PromiseLike<Versions>) => void
  readonly reject: (error: unknown) => void
}

type Due = { readonly live: Live; readonly text: string; readonly stored: StoredData }

export const createLiveData = ({ store, data, fenced, lease, tickRate, wrote, refused, log }: LiveDataDeps): LiveData => {
  const values = new Map<string, Live>()
  let looking = values.values()
  /** Released values, with the number of steps until they are looked at for the last time: handlers of the next step may change them. */
  const leaving = new Map<Live, number>()

  const isHeld: LiveData['isHeld'] = (key) => values.get(nameOf(key))?.isKept() === true

  const isChanged = (live: Live): boolean => live.isKept() && JSON.stringify(live.value) !== live.written

  const findFault = ({ key, value, dataVersion }: Live): string | undefined => {
    try {
      key.kind.encode(value, dataVersion)
      return undefined
    } catch (error) {
      return describeUnfit(error)
    }
  }

  /** The checked text of a value. A value that does not fit is left as it was stored, and reported once. */
  const encode = (live: Live): Due | undefined => {
    const text = JSON.stringify(live.value)
    if (!live.isKept() || text === live.written || text === live.refused) return undefined
    try {
      return { live, text, stored: live.key.kind.encode(live.value, live.dataVersion) }
    } catch (error) {
      live.refused = text
      refused(live.module, live.key.id, describeUnfit(error))
      return undefined
    }
  }

  const toWrite = ({ live, stored }: Due): Write =>
    putWrite(live.key.collection, live.key.id, stored, { ifVersion: live.version })

  const note = ({ live, text, stored }: Due, version: Version | null | undefined): void => {
    live.version = version ?? null
    live.written = text
    live.unanswered = undefined
    live.dataVersion = stored.version
    wrote(live.module)
  }

  /** Another process has written the value, for example an administrator. That value counts, and the one here is dropped. */
  const adopt = async ({ live }: Due): Promise<void> => {
    const record = await data.read(live.key)
    live.version = record?.version ?? null
    const text = record === undefined ? '' : JSON.stringify(record.value)
    const isOwn = record !== undefined && text === live.unanswered
    live.written = text
    live.unanswered = undefined
    if (isOwn) {
      writer.set(live, live)
      return
    }
    live.value = record?.value ?? live.key.kind.initial()
    live.dataVersion = record?.dataVersion ?? live.key.kind.version
    log.warn({ module: live.module, id: live.key.id }, 'a value of a module was changed elsewhere; the change here was dropped')
  }

  const writeBatch = async (writes: FencedWrites, batch: readonly Due[], lane: number): Promise<void> => {
    try {
      const versions = await writes.commit(batch.map(toWrite), lane)
      for (const [at, one] of batch.entries()) note(one, versions[at])
    } catch (error) {
      if (!isConflict(error)) throw error
      const [only] = batch
      if (batch.length === 1 && only !== undefined) await adopt(only)
      else for (const one of batch) await writeBatch(writes, [one], lane)
    }
  }

  /** Calls `write` while the lease is held. Notes the values if the store may have them or not. */
  const writeHeld = async <T>(due: readonly Due[], write: (writes: FencedWrites) => Promise<T>): Promise<T> => {
    try {
      if (!lease.isHeld()) throw leaseInDoubt()
      return await write(await fenced())
    } catch (error) {
      for (const { live, stored } of due) live.unanswered = JSON.stringify(stored.value)
      throw error
    }
  }

  const writer = createBatchWriter<Live, Live>({
    batchMax: writesMax,
    flushedAtOnce: batchesAtOnce,
    retryAfterMs,
    write: async (entries, lane) => {
      const batch = entries.flatMap(([live]) => encode(live) ?? [])
      if (batch.length === 0) return 0
      await writeHeld(batch, (writes) => writeBatch(writes, batch, lane))
      return batch.length
    },
    failed: (err) => log.error({ err }, 'values of modules could not be written; retrying later'),
    recovered: () => log.info({}, 'values of modules are written again'),
  })

  /** Writes records in one commit with values. Undefined if the records must be written alone, after the values. */
  const writeWith = async (fencedWrites: FencedWrites, due: readonly Due[], records: readonly Write[]) => {
    try {
      const versions = await fencedWrites.commit([...due.map(toWrite), ...records], 0)
      for (const [at, one] of due.entries()) note(one, versions[at])
      return versions.slice(due.length)
    } catch (error) {
      if (isOutage(error)) throw error
      // A value or a record was changed elsewhere, or the records are not valid.
      for (const one of due) await writeBatch(fencedWrites, [one], 0)
      return undefined
    }
  }

  const recordWrites = new Map<string, RecordWrites[]>()
  const recordRuns = new Map<string, () => Promise<void>>()

  /** Makes the waiting writes to records of a module. The first ones are in one commit with its few changed values. */
  const writeRecords = async (module: string): Promise<void> => {
    const [first, ...others] = recordWrites.get(module) ?? []
    recordWrites.delete(module)
    if (first === undefined) return
    let isFirstDone = false
    const changed = Array.from(values.values()).filter((live) => live.module === module && isChanged(live))
    try {
      if (changed.length + first.writes.length > writesMax) {
        for (const live of changed) writer.set(live, live)
        await writer.flush()
      } else if (changed.length > 0)
        await writer.runAlone(async () => {
          const due = changed.flatMap((live) => encode(live) ?? [])
          if (due.length === 0) return 0
          const versions = await writeHeld(due, (fencedWrites) => writeWith(fencedWrites, due, first.writes))
          isFirstDone = versions !== undefined
          if (versions !== undefined) first.resolve(versions)
          return due.length
        })
    } catch (error) {
      for (const { reject } of [first, ...others]) reject(error)
      return
    }
    for (const { writes, resolve } of isFirstDone ? others : [first, ...others]) resolve(store.commit(writes))
  }

  const look = (live: Live): void => {
    if (isChanged(live)) writer.set(live, live)
  }

  const lookAtLeaving = (): void => {
    for (const [live, steps] of leaving) {
      if (live.releasedMs !== undefined) look(live)
      if (steps > 1) {
        leaving.set(live, steps - 1)
        continue
      }
      leaving.delete(live)
      if (!live.isKept() && values.get(nameOf(live.key)) === live) values.delete(nameOf(live.key))
    }
  }

  const visit = (live: Live, nowMs: number): void => {
    look(live)
    const isOver = live.releasedMs !== undefined && nowMs - live.releasedMs > retainedMs
    if (isOver && writer.get(live) === undefined) values.delete(nameOf(live.key))
  }

  return {
    find: (key) => values.get(nameOf(key)),
    isHeld,
    load: async (key) => {
      if (isHeld(key)) return undefined
      await fenced()
      return data.read(key)
    },
    hold: (module, key, loaded, isKept = () => true) => {
      const name = nameOf(key)
      const known = values.get(name)
      if (known !== undefined && (known.isKept() || !isKept())) {
        known.releasedMs = undefined
        known.isKept = isKept
        return known
      }
      const value = loaded?.value ?? key.kind.initial()
      const live: Live = {
        findFault: () => findFault(live),
        module,
        key,
        value,
        dataVersion: loaded?.dataVersion ?? key.kind.version,
        version: loaded?.version ?? null,
        // A new player with defaults has nothing to write.
        written: JSON.stringify(value),
        unanswered: undefined,
        refused: undefined,
        isKept,
        releasedMs: undefined,
      }
      values.set(name, live)
      return live
    },
    release: (key, nowMs) => {
      const live = values.get(nameOf(key))
      if (live === undefined) return
      live.releasedMs = nowMs
      leaving.set(live, stepsAfterRelease)
    },
    replace: (key, value) => {
      const live = values.get(nameOf(key))
      if (live === undefined) return
      const { value: fitting } = key.kind.encode(value)
      live.key = key
      live.value = fitting
      live.dataVersion = key.kind.version
      live.refused = undefined
      look(live)
    },
    adapt: (kindOf, restoredOf) => {
      for (const live of values.values()) {
        const kind = kindOf(live.module, live.key.collection.name)
        if (kind === undefined || kind === live.key.kind) continue
        const restored = restoredOf(live.key)
        if (restored !== undefined) {
          live.key = { ...live.key, kind }
          live.refused = undefined
          live.unanswered = undefined
          live.value = restored.value
          live.dataVersion = restored.dataVersion
          live.version = restored.version
          live.written = JSON.stringify(restored.value)
          continue
        }
        const reading = kind.read({ version: live.dataVersion, value: live.value })
        live.key = { ...live.key, kind }
        live.refused = undefined
        if (reading.ok) {
          live.value = reading.value
          live.dataVersion = reading.version
        } else {
          live.value = kind.initial()
          live.written = JSON.stringify(live.value)
          // A write before the stored value is set aside is a conflict.
          live.version = null
          data
            .read(live.key)
            .catch((error: unknown) => log.error({ err: error, id: live.key.id }, 'a value of a module could not be set aside'))
        }
      }
    },
    commit: (module, writes) =>
      new Promise((resolve, reject) => {
        recordWrites.set(module, [...(recordWrites.get(module) ?? []), { writes, resolve, reject }])
        const run = recordRuns.get(module) ?? createSharedRuns(() => writeRecords(module))
        recordRuns.set(module, run)
        void run()
      }),
    step: (nowMs) => {
      const looks = Math.ceil(values.size / (lookEverySeconds * tickRate))
      for (let n = 0; n < looks; n += 1) {
        let next = looking.next()
        if (next.done === true) {
          looking = values.values()
          next = looking.next()
        }
        if (next.done !== true) visit(next.value, nowMs)
      }
      if (leaving.size > 0) lookAtLeaving()
      writer.step(nowMs)
    },
    flush: () => {
      for (const live of values.values()) look(live)
      return writer.flush()
    },
    waiting: writer.size,
  }
}
