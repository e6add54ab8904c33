import { Type } from '@sinclair/typebox'
import type { Clock } from '../../kernel/clock.ts'
import { ClosedObject } from '../../kernel/closed-object.ts'
import type { Turns } from '../../kernel/turns.ts'
import { type Collection, createCollection, type Store } from '../../platform/storage/store.ts'
import { cursorAfter } from '../../platform/storage/store-rules.ts'
import { chatBatches } from './chat-batch.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const bytesPerMiB = 2 ** 20
const batchesPerSlice = 20

/** The size of the chat log by hour. Batches of the last hour are not counted yet. */
const tallies = createCollection(
  'chat-tallies',
  ClosedObject({
    countedUpTo: Type.String(),
    /** All batches with a smaller id are deleted, or are being deleted. */
    goneUpTo: Type.String(),
    /** Bytes of JSON by hour, such as `2026-11-23T14`. */
    hours: Type.Record(Type.String(), Type.Integer()),
  }),
)
const tallyId = 'tally'

/** Parses nothing, so that an unreadable batch can be deleted too. */
const storedBatches: Collection<unknown> = { name: chatBatches.name, parse: (stored) => stored }

export type PruneChatDeps = {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  readonly turns: Turns
  readonly limits: () => { readonly keepDays: number; readonly maxMiB: number }
  /** Whether to stop between two slices. */
  readonly isOver: () => boolean
}

const hourOf = (id: string): string => id.slice(0, 13)
const idAt = (timeMs: number): string => new Date(Math.max(timeMs, 0)).toISOString()

const listAfter = (store: Store, after: string) =>
  store.list(storedBatches, { limit: batchesPerSlice, ...(after !== '' && { cursor: cursorAfter(after) }) })

/** The id before which batches must go because the rest fills the limit. */
const findSizeLimit = (hours: Readonly<Record<string, number>>, bytesMax: number): string => {
  let left = bytesMax
  for (const [hour, bytes] of Object.entries(hours).sort(([a], [b]) => (a < b ? 1 : -1))) {
    left -= bytes
    // Ids of the hour continue with a colon, which sorts before the semicolon.
    if (left < 0) return `${hour};`
  }
  return ''
}

/**
 * Deletes batches that are too old, and whole hours of the oldest ones while the log is too large. Returns the number of deleted
 * batches. The limit is stored before the deletion, so that the next pass finishes the work of a killed process. Throws AppError
 * `conflict` if another process prunes at the same time.
 */
export const pruneChat = async ({ store, clock, turns, limits, isOver }: PruneChatDeps): Promise<number> => {
  const stored = await store.get(tallies, tallyId)
  let countedUpTo = stored?.value.countedUpTo ?? ''
  let hours: Readonly<Record<string, number>> = stored?.value.hours ?? {}
  const young = idAt(clock.now() - hourMs)
  for (let isCounted = false; !isCounted && !isOver(); await turns.next()) {
    const { records } = await listAfter(store, countedUpTo)
    const old = records.filter(({ id }) => id < young)
    for (const { id, value } of old) {
      const hour = hourOf(id)
      hours = { ...hours, [hour]: (hours[hour] ?? 0) + Buffer.byteLength(JSON.stringify(value)) }
    }
    countedUpTo = old.at(-1)?.id ?? countedUpTo
    isCounted = old.length < batchesPerSlice
  }
  const { keepDays, maxMiB } = limits()
  const byAge = idAt(clock.now() - keepDays * dayMs)
  const bySize = findSizeLimit(hours, maxMiB * bytesPerMiB)
  // A time in the future was written by a clock that was wrong.
  const before = stored === undefined || stored.value.goneUpTo > idAt(clock.now()) ? '' : stored.value.goneUpTo
  const goneUpTo = [byAge, bySize, before].sort().at(-1) ?? ''
  const next = {
    countedUpTo,
    goneUpTo,
    hours: Object.fromEntries(Object.entries(hours).filter(([hour]) => `${hour};` > goneUpTo)),
  }
  await store.put(tallies, tallyId, next, { ifVersion: stored?.version ?? null })
  for (let deleted = 0; ; await turns.next()) {
    const { records } = await listAfter(store, '')
    const going = records.filter(({ id }) => id < goneUpTo)
    await Promise.all(going.map(({ id }) => store.delete(chatBatches, id)))
    deleted += going.length
    if (going.length < batchesPerSlice || isOver()) return deleted
  }
}
