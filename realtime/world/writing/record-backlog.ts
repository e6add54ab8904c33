import type { ChunkRecord } from '../../../shared/domain/worlds/store/chunk-store.ts'
import { createDeferred, type Deferred } from '../../../shared/kernel/deferred.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { chunkKey } from '../../../shared/rules/positions.ts'

/** The state of one call. */
type Ticket = { readonly done: Deferred; left: number }
type Entry = { readonly record: ChunkRecord; tickets: readonly Ticket[] }

/**
 * Records of generated columns that wait to be written. They are not the work of players: records that do not fit are dropped and
 * can be generated again.
 */
export type RecordBacklog = {
  /** Settles with the first attempt to write them. A failed attempt is still repeated. */
  add(records: readonly ChunkRecord[]): Promise<void>
  /** The column is written in another way, with the result of `promise`. */
  supersede(pos: { readonly cx: number; readonly cz: number }, promise: Promise<void>): void
  /** Takes the oldest records. They return to the backlog with `settle`. */
  take(): readonly ChunkRecord[]
  /** The taken records are durable, or wait for the next attempt. */
  settle(error?: unknown): void
  size(): number
  /** Settles when all current records are durable, or with the next failed attempt. */
  settled(): Promise<void>
  /** Drops all records. */
  clear(error: unknown): void
}

export type RecordBacklogLimits = {
  /** The number of records taken at once. */
  readonly batchMax: number
  /** The number of records kept in memory. */
  readonly recordsMax: number
}

const dropped = (): AppError =>
  new AppError('unavailable', 'service-unavailable', 'Too much new terrain waits to be stored; it will be generated again.')

const complete = (entry: Entry): void => {
  for (const ticket of entry.tickets) {
    ticket.left -= 1
    if (ticket.left === 0) ticket.done.resolve()
  }
  entry.tickets = []
}

const fail = (entry: Entry, error: unknown): void => {
  for (const { done } of entry.tickets) done.reject(error)
  entry.tickets = []
}

export const createRecordBacklog = ({ batchMax, recordsMax }: RecordBacklogLimits): RecordBacklog => {
  const waiting = new Map<number, Entry>()
  const underWay = new Map<number, Entry>()

  const put = (entry: Entry): void => {
    const key = chunkKey(entry.record.cx, entry.record.cz)
    entry.tickets = [...entry.tickets, ...(waiting.get(key)?.tickets ?? [])]
    waiting.set(key, entry)
    for (const [oldestKey, oldest] of waiting) {
      if (waiting.size <= recordsMax) return
      waiting.delete(oldestKey)
      fail(oldest, dropped())
    }
  }

  return {
    add: (records) => {
      const ticket = { done: createDeferred(), left: records.length }
      if (records.length === 0) ticket.done.resolve()
      for (const record of records) put({ record, tickets: [ticket] })
      return ticket.done.promise
    },
    supersede: ({ cx, cz }, promise) => {
      const key = chunkKey(cx, cz)
      for (const records of [waiting, underWay]) {
        const entry = records.get(key)
        if (entry === undefined) continue
        records.delete(key)
        promise.then(
          () => complete(entry),
          (error: unknown) => fail(entry, error),
        )
      }
    },
    take: () => {
      for (const [key, entry] of waiting) {
        if (underWay.size >= batchMax) break
        waiting.delete(key)
        underWay.set(key, entry)
      }
      return Array.from(underWay.values(), ({ record }) => record)
    },
    settle: (error) => {
      const entries = [...underWay]
      underWay.clear()
      for (const [key, entry] of entries) {
        if (error === undefined) complete(entry)
        else {
          fail(entry, error)
          if (!waiting.has(key)) put(entry)
        }
      }
    },
    size: () => waiting.size,
    settled: () => {
      const entries = [...waiting.values(), ...underWay.values()]
      const ticket = { done: createDeferred(), left: entries.length }
      if (entries.length === 0) ticket.done.resolve()
      for (const entry of entries) entry.tickets = [...entry.tickets, ticket]
      return ticket.done.promise
    },
    clear: (error) => {
      for (const entry of [...waiting.values(), ...underWay.values()]) fail(entry, error)
      waiting.clear()
      underWay.clear()
    },
  }
}
