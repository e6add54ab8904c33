import type { MadeChange } from '../../../shared/domain/history/block-change.ts'
import type { HistoryBook } from '../../../shared/domain/history/history-book.ts'
import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { WorldLease } from '../../../shared/domain/worlds/leases/world-lease.ts'
import type { ChunkRecord, ChunkStore, SideWrite, WorldRef } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { leaseInDoubt, leaseLost } from '../../../shared/domain/worlds/store/chunk-store-rules.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { LoadedColumn } from '../columns/loaded-world.ts'
import { createRecordBacklog } from './record-backlog.ts'
import { createWriteBatches, type WriteBatch } from './write-batches.ts'

/**
 * Writes columns to the store, one transaction at a time. Columns that arrive during a transaction go into the next one. Each
 * promise resolves when its columns are durable, or rejects with the AppError of the store.
 */
export type ChunkWriter = {
  /** Encodes the columns as of now. `changes` are added to the history in the same transaction. */
  writeColumns(columns: Iterable<LoadedColumn>, changes?: readonly MadeChange[]): Promise<void>
  /** Writes records of new columns, in order with the calls above. */
  writeRecords(records: readonly ChunkRecord[]): Promise<void>
  /** Resolves when all earlier requests are durable or have failed. Later requests are not included. */
  settle(): Promise<void>
}

/** A ChunkWriter for columns that change while they wait. */
export type EditWriter = ChunkWriter & {
  /**
   * Call it before columns change that `writeColumns` gets in the same tick. Columns that already wait are written without the
   * change.
   */
  prepareChange(columns: readonly LoadedColumn[]): void
  /** The number of columns that wait or are being written: changed ones, and records of new ones. */
  waiting(): { readonly columns: number; readonly records: number }
  /** Writes everything that waits, once. Nothing is written after that. */
  close(): Promise<void>
}

export type ChunkWriterDeps = {
  readonly chunks: Pick<ChunkStore, 'putMany'>
  readonly world: WorldRef
  /** The fence of the lease, for each write. */
  readonly fence: number | (() => number)
  readonly lease?: Pick<WorldLease, 'isHeld' | 'isLost'>
  readonly registry: BlockRegistry
  readonly log: Log
  /** Without it changes are not recorded. */
  readonly history?: HistoryBook
  readonly limits?: Partial<ChunkWriterLimits>
  /** Called with columns that are durable. */
  readonly stored?: (records: readonly ChunkRecord[]) => void
}

type ChunkWriterLimits = {
  /** The maximum number of columns in a transaction. Columns that were changed together may exceed it. */
  readonly batchMax: number
  /** The maximum number of waiting records of new columns. */
  readonly recordsMax: number
  /** The pause after a failed write of records. It doubles with each failure. */
  readonly pauseMs: number
  readonly pauseMaxMs: number
  /** How often to look for old history. */
  readonly pruneEveryMs: number
}

const defaultLimits: ChunkWriterLimits = {
  batchMax: 128,
  recordsMax: 2048,
  pauseMs: 1000,
  pauseMaxMs: 30_000,
  pruneEveryMs: 60_000,
}

/**
 * Writes changed columns and records of new ones in turn, one transaction at a time, and never within the requesting tick. If
 * changed columns cannot be written, all waiting ones fail too, because they build on them. Failed records are retried after
 * growing pauses. Beyond a limit the oldest are dropped, because terrain can be generated again.
 */
export const createChunkWriter = (deps: ChunkWriterDeps): EditWriter => {
  const { chunks, world, fence, lease, registry, log, history } = deps
  const limits = { ...defaultLimits, ...deps.limits }
  const batches = createWriteBatches(registry, limits.batchMax)
  const backlog = createRecordBacklog(limits)
  let running: Promise<void> | undefined
  let failures = 0
  let pause: NodeJS.Timeout | undefined
  let isRecordsTurn = false
  let isClosed = false
  let isClosing = false
  let isPruneDue = true

  const put = async (records: readonly ChunkRecord[], beside: readonly SideWrite[] = []): Promise<void> => {
    if (isClosed) throw new AppError('unavailable', 'service-unavailable', 'The world is closing. Nothing was written.')
    if (lease !== undefined && !lease.isHeld()) throw lease.isLost() ? leaseLost() : leaseInDoubt()
    await chunks.putMany(world, records, typeof fence === 'number' ? fence : fence(), beside)
    deps.stored?.(records)
  }

  /** Writes columns and their history. */
  const putChanged = async (records: readonly ChunkRecord[], changes: readonly MadeChange[]): Promise<void> => {
    const beside = (await history?.note(changes)) ?? []
    try {
      await put(records, beside)
    } catch (error) {
      history?.settle(false)
      throw error
    }
    history?.settle(true)
  }

  const failBatches = (first: WriteBatch, error: unknown): void => {
    log.warn({ err: error, columns: first.entries.size }, 'changed columns could not be written')
    for (let batch: WriteBatch | undefined = first; batch !== undefined; batch = batches.take()) batches.settle(batch, error)
  }

  const writeBatch = async (batch: WriteBatch): Promise<void> => {
    try {
      await putChanged(await batches.encode(batch), batch.changes)
      batches.settle(batch)
    } catch (error) {
      failBatches(batch, error)
    }
  }

  const resume = (): void => {
    clearTimeout(pause)
    pause = undefined
  }

  const holdBack = (error: unknown): void => {
    log.warn({ err: error, records: backlog.size() }, 'new columns could not be written; retrying later')
    if (isClosed || (error instanceof AppError && error.slug === 'lease-lost')) {
      backlog.clear(error)
      return
    }
    const pauseMs = Math.min(limits.pauseMs * 2 ** failures, limits.pauseMaxMs)
    failures += 1
    pause = setTimeout(() => {
      pause = undefined
      wake()
    }, pauseMs).unref()
  }

  const writeRecords = async (records: readonly ChunkRecord[]): Promise<void> => {
    try {
      await put(records)
      backlog.settle()
      failures = 0
    } catch (error) {
      backlog.settle(error)
      holdBack(error)
    }
  }

  const pruneHistory = async (beside: readonly SideWrite[]): Promise<void> => {
    try {
      await put([], beside)
      history?.settle(true)
    } catch (error) {
      history?.settle(false)
      isPruneDue = false
      log.warn({ err: error }, 'old history could not be deleted; retrying later')
    }
  }

  const findPruning = (): (() => Promise<void>) | undefined => {
    if (!isPruneDue || isClosing || history === undefined) return undefined
    const beside = history.prune()
    isPruneDue = beside.length > 0
    return isPruneDue ? () => pruneHistory(beside) : undefined
  }

  const findWork = (): (() => Promise<void>) | undefined => {
    const hasRecords = pause === undefined && backlog.size() > 0
    const batch = isRecordsTurn && hasRecords ? undefined : batches.take()
    isRecordsTurn = batch !== undefined
    if (batch !== undefined) return () => writeBatch(batch)
    return hasRecords ? () => writeRecords(backlog.take()) : findPruning()
  }

  const run = async (): Promise<void> => {
    await Promise.resolve()
    for (let work = findWork(); work !== undefined; work = findWork()) await work()
    running = undefined
  }

  const wake = (): void => {
    running ??= run()
  }

  const pruning = setInterval(() => {
    isPruneDue = true
    wake()
  }, limits.pruneEveryMs).unref()

  const settle = async (): Promise<void> => {
    resume()
    wake()
    await Promise.allSettled([batches.settled(), backlog.settled()])
  }

  return {
    prepareChange: batches.prepare,
    writeColumns: (columns, changes) => {
      const changed = [...columns]
      if (changed.length === 0) return Promise.resolve()
      const done = batches.add(changed, changes)
      for (const column of changed) backlog.supersede(column, done)
      wake()
      return done
    },
    writeRecords: (records) => {
      const done = backlog.add(records)
      for (const record of records) {
        const changed = batches.find(record)
        if (changed !== undefined) backlog.supersede(record, changed)
      }
      wake()
      return done
    },
    settle,
    waiting: () => ({ columns: batches.size(), records: backlog.size() }),
    close: async () => {
      // The next holder of the world deletes old history, so closing does not wait for it.
      isClosing = true
      await settle()
      while (running !== undefined) await running
      isClosed = true
      clearInterval(pruning)
      resume()
    },
  }
}
