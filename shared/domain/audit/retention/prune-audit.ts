import { Type } from '@sinclair/typebox'
import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Turns } from '../../../kernel/turns.ts'
import { createCollection, type Store } from '../../../platform/storage/store.ts'
import { cursorAfter } from '../../../platform/storage/store-rules.ts'
import { isUnproven } from '../audit-entry.ts'
import { allPrefix, auditRecords, removeAuditEntry } from '../store-audit-log.ts'
import { type AuditTally, addBytes, type CountedEntry, dayOf, type HeldTally, holdTally, totalBytes } from './audit-tally.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const bytesPerMiB = 2 ** 20
/** The alias of a grouped change, under its request. */
const aliasBytes = 150
/** Entries processed before the thread is yielded: one or two milliseconds. */
const entriesPerSlice = 20
/** Slices counted between two writes of the tally. */
const slicesPerWrite = 50

/** Maximum share of unproven entries, in percent of `audit.maxMiB`. The rest is deleted even if the log has room. */
const unprovenPercent = 25

/** The part of an entry needed to delete it. Every key is optional, so that an unreadable entry can be deleted too. */
const foundEntries = createCollection(
  auditRecords.name,
  Type.Object({
    actor: Type.Optional(Type.String()),
    action: Type.Optional(Type.String()),
    target: Type.Optional(Type.String()),
    requestId: Type.Optional(Type.String()),
    unproven: Type.Optional(Type.Literal(true)),
    cut: Type.Optional(Type.Integer()),
    count: Type.Optional(Type.Integer()),
  }),
)

export type PruneAuditDeps = {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  readonly turns: Turns
  readonly limits: () => { readonly days: number; readonly maxMiB: number }
  /** Whether to stop between two slices. */
  readonly isOver: () => boolean
}

const idOf = (timeMs: number): string => new Date(Math.max(timeMs, 0)).toISOString()

/** The next entries after an id, oldest first. */
const listOldest = async (store: Store, after: string): Promise<readonly CountedEntry[]> => {
  const from = after === '' ? {} : { cursor: cursorAfter(allPrefix + after) }
  const { records } = await store.list(foundEntries, { prefix: allPrefix, limit: entriesPerSlice, ...from })
  return records.map(({ id, value }) => {
    const { actor = '', target = '', requestId = '', cut, count } = value
    const listed = Buffer.byteLength(JSON.stringify(value))
    const bytes = 3 * listed + (cut ?? listed) + (count ?? 0) * aliasBytes
    const grouped = count === undefined ? {} : { count }
    return { id: id.slice(allPrefix.length), actor, target, requestId, bytes, unproven: isUnproven(value), ...grouped }
  })
}

const addEntries = (tally: AuditTally, entries: readonly CountedEntry[], sign: 1 | -1): AuditTally => {
  const add = (days: AuditTally['days'], among: readonly CountedEntry[]) =>
    among.reduce((sums, { id, bytes }) => addBytes(sums, dayOf(id), sign * bytes), days)
  const unprovenDays = add(
    tally.unprovenDays,
    entries.filter(({ unproven }) => unproven),
  )
  return { ...tally, days: add(tally.days, entries), unprovenDays }
}

/** Counts entries that have become older than an hour. By then no process can still add an earlier one. */
const countNew = async ({ store, clock, turns, isOver }: PruneAuditDeps, tally: HeldTally): Promise<void> => {
  const young = idOf(clock.now() - hourMs)
  let counted = tally.read()
  for (let slice = 1; ; slice += 1) {
    const found = await listOldest(store, counted.countedUpTo)
    const old = found.filter(({ id }) => id < young)
    counted = { ...addEntries(counted, old, 1), countedUpTo: old.at(-1)?.id ?? counted.countedUpTo }
    const isLast = old.length < entriesPerSlice || isOver()
    if (counted.countedUpTo !== tally.read().countedUpTo && (isLast || slice % slicesPerWrite === 0)) await tally.write(counted)
    if (isLast) return
    await turns.next()
  }
}

/** The next counted entries after an id, oldest first; not those younger than an hour. */
const listCounted = async (store: Store, after: string, { countedUpTo }: AuditTally): Promise<readonly CountedEntry[]> =>
  (await listOldest(store, after)).filter(({ id }) => id <= countedUpTo)

/** The first entries with at least `bytes` in total. */
const takeBytes = (entries: readonly CountedEntry[], bytes: number): CountedEntry[] => {
  let left = bytes
  return entries.filter((entry) => {
    if (left <= 0) return false
    left -= entry.bytes
    return true
  })
}

/** A slice of entries to delete, and the tally without them; undefined if there is nothing to delete. */
type Slice = { readonly going: readonly CountedEntry[]; readonly tally: AuditTally } | undefined
type ChooseSlice = (deps: PruneAuditDeps, tally: AuditTally) => Promise<Slice>

const bytesOver = ({ limits }: PruneAuditDeps, { days }: AuditTally): number => totalBytes(days) - limits().maxMiB * bytesPerMiB

const withoutOldest = (tally: AuditTally, going: CountedEntry[]): Slice => {
  const last = going.at(-1)
  if (last === undefined) return undefined
  const rest = addEntries(tally, going, -1)
  const isThere = ([day]: readonly [string, number]): boolean => day >= dayOf(last.id)
  const [days, unprovenDays] = [rest.days, rest.unprovenDays].map((sums) =>
    Object.fromEntries(Object.entries(sums).filter(isThere)),
  )
  return { going, tally: { ...rest, days: days ?? {}, unprovenDays: unprovenDays ?? {}, going } }
}

const chooseTooOld: ChooseSlice = async ({ store, clock, limits }, tally) => {
  const tooOld = idOf(clock.now() - limits().days * dayMs)
  const counted = await listCounted(store, '', tally)
  return withoutOldest(
    tally,
    counted.filter(({ id }) => id < tooOld),
  )
}

/** The oldest unproven entries, while they exceed their share or the log exceeds its limit. */
const chooseUnproven: ChooseSlice = async (deps, tally) => {
  const { store, turns, limits, isOver } = deps
  const unprovenBytes = totalBytes(tally.unprovenDays)
  const over = Math.max(unprovenBytes - limits().maxMiB * bytesPerMiB * (unprovenPercent / 100), bytesOver(deps, tally))
  if (over <= 0 || unprovenBytes <= 0) return undefined
  let unprovenGoneUpTo = tally.unprovenGoneUpTo
  for (;;) {
    const counted = await listCounted(store, unprovenGoneUpTo, tally)
    const unproven = counted.filter((entry) => entry.unproven)
    const going = takeBytes(unproven, over)
    const last = (going.length < unproven.length ? going : counted).at(-1)
    unprovenGoneUpTo = last?.id ?? unprovenGoneUpTo
    if (going.length > 0) return { going, tally: { ...addEntries(tally, going, -1), unprovenGoneUpTo, going } }
    if (isOver()) return undefined
    // No counted unproven entry is left.
    if (last === undefined) return { going, tally: { ...tally, unprovenDays: {}, unprovenGoneUpTo, going } }
    await turns.next()
  }
}

const chooseOldest: ChooseSlice = async (deps, tally) => {
  const over = bytesOver(deps, tally)
  return over <= 0 ? undefined : withoutOldest(tally, takeBytes(await listCounted(deps.store, '', tally), over))
}

/**
 * Deletes entries once and returns how many; none are younger than an hour. Deletes entries that are too old first. Unproven entries
 * follow while they exceed their share or the log is too large, then the oldest others. Yields between slices. Each slice is written to
 * the tally before it is deleted, so that the next pass finishes the work of a killed process. Several processes may call it at once.
 */
export const pruneAudit = async (deps: PruneAuditDeps): Promise<number> => {
  const { store, turns, isOver } = deps
  const tally = await holdTally(store)
  let deletedCount = 0
  const deleteGoing = async (): Promise<void> => {
    const { going } = tally.read()
    await Promise.all(going.map((entry) => removeAuditEntry(store, entry)))
    deletedCount += going.length
  }
  const settle = async (): Promise<void> => {
    if (tally.read().going.length > 0) await tally.write({ ...tally.read(), going: [] })
  }
  try {
    await deleteGoing()
    await settle()
    await countNew(deps, tally)
    for (const choose of [chooseTooOld, chooseUnproven, chooseOldest])
      while (!isOver()) {
        const slice = await choose(deps, tally.read())
        if (slice === undefined) break
        await tally.write(slice.tally)
        await deleteGoing()
        await turns.next()
      }
    await settle()
    return deletedCount
  } catch (error) {
    // Another process prunes at the same time.
    if (error instanceof AppError && error.kind === 'conflict') return deletedCount
    throw error
  }
}
