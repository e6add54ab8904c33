import { Type } from '@sinclair/typebox'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Turns } from '../../kernel/turns.ts'
import { createCollection, type Store } from '../../storage/store.ts'
import { cursorAfter } from '../../storage/store-rules.ts'
import type { AuditEntry } from '../audit-log.ts'
import { allPrefix, auditRecords, auditRemovals } from '../store-audit-log.ts'
import { type AuditTally, addBytes, dayOf, type HeldTally, holdTally, totalBytes } from './audit-tally.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const bytesPerMiB = 2 ** 20
/** Entries between two turns of others: a millisecond or two. */
const entriesPerSlice = 20
/** Slices that are counted before it is written down. */
const slicesPerWrite = 50

/** As much of an entry as it takes to delete it: one that cannot be read must not stay for ever. */
const foundEntries = createCollection(
  auditRecords.name,
  Type.Object({
    actor: Type.Optional(Type.String()),
    target: Type.Optional(Type.String()),
    requestId: Type.Optional(Type.String()),
    cut: Type.Optional(Type.Integer()),
  }),
)

type Found = Pick<AuditEntry, 'id' | 'actor' | 'target' | 'requestId'> & { readonly bytes: number }

export type PruneAuditDeps = {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  readonly turns: Turns
  readonly limits: () => { readonly days: number; readonly maxMiB: number }
  /** Whether to leave off between two slices. */
  readonly isOver: () => boolean
}

const idOf = (timeMs: number): string => new Date(Math.max(timeMs, 0)).toISOString()

/** The next entries after an id, oldest first. */
const listOldest = async (store: Store, after: string): Promise<readonly Found[]> => {
  const from = after === '' ? {} : { cursor: cursorAfter(allPrefix + after) }
  const { records } = await store.list(foundEntries, { prefix: allPrefix, limit: entriesPerSlice, ...from })
  return records.map(({ id, value }) => {
    const { actor = '', target = '', requestId = '', cut } = value
    const listed = Buffer.byteLength(JSON.stringify(value))
    return { id: id.slice(allPrefix.length), actor, target, requestId, bytes: 3 * listed + (cut ?? listed) }
  })
}

/** Counts what has become older than an hour since the last time: by then no process has an earlier entry under way. */
const countNew = async ({ store, clock, turns, isOver }: PruneAuditDeps, tally: HeldTally): Promise<void> => {
  const young = idOf(clock.now() - hourMs)
  let counted = tally.read()
  for (let slice = 1; ; slice += 1) {
    const found = await listOldest(store, counted.countedUpTo)
    const old = found.filter(({ id }) => id < young)
    const days = old.reduce((sums, { id, bytes }) => addBytes(sums, dayOf(id), bytes), counted.days)
    counted = { ...counted, days, countedUpTo: old.at(-1)?.id ?? counted.countedUpTo }
    const isLast = old.length < entriesPerSlice || isOver()
    if (counted.countedUpTo !== tally.read().countedUpTo && (isLast || slice % slicesPerWrite === 0)) await tally.write(counted)
    if (isLast) return
    await turns.next()
  }
}

/** Which of the oldest entries go: those that are too old, and as many more as are too much. */
const chooseGoing = (
  found: readonly Found[],
  tally: AuditTally,
  { days, maxMiB, nowMs }: { readonly days: number; readonly maxMiB: number; readonly nowMs: number },
): readonly Found[] => {
  const tooOld = idOf(nowMs - days * dayMs)
  let over = totalBytes(tally) - maxMiB * bytesPerMiB
  const going: Found[] = []
  for (const entry of found) {
    // Beyond it nothing is counted: it is younger than an hour.
    if (entry.id > tally.countedUpTo || (entry.id >= tooOld && over <= 0)) break
    going.push(entry)
    over -= entry.bytes
  }
  return going
}

const without = (tally: AuditTally, going: readonly Found[]): AuditTally => {
  const prunedUpTo = going.at(-1)?.id ?? tally.prunedUpTo
  const days = going.reduce((sums, { id, bytes }) => addBytes(sums, dayOf(id), -bytes), tally.days)
  const there = Object.entries(days).filter(([day]) => day >= dayOf(prunedUpTo))
  return { ...tally, prunedUpTo, days: Object.fromEntries(there) }
}

/**
 * One pass: deletes the oldest entries of the audit log, as `limits` says, never those younger than an hour; how many went. Between slices
 * of some entries others have their turn. A slice is written down as pruned before it is deleted: a killed process leaves nothing to
 * repair, and of several processes one does the work.
 */
export const pruneAudit = async (deps: PruneAuditDeps): Promise<number> => {
  const { store, clock, turns, limits, isOver } = deps
  const tally = await holdTally(store)
  let gone = 0
  const deleteAll = async (entries: readonly Found[]): Promise<void> => {
    await Promise.all(entries.map((entry) => store.commit(auditRemovals(entry))))
    gone += entries.length
  }
  try {
    await countNew(deps, tally)
    for (;;) {
      if (isOver()) return gone
      const found = await listOldest(store, '')
      const left = found.filter(({ id }) => id <= tally.read().prunedUpTo)
      if (left.length > 0) await deleteAll(left)
      else {
        const going = chooseGoing(found, tally.read(), { ...limits(), nowMs: clock.now() })
        if (going.length === 0) return gone
        await tally.write(without(tally.read(), going))
        await deleteAll(going)
      }
      await turns.next()
    }
  } catch (error) {
    // Another process prunes at the same time.
    if (error instanceof AppError && error.kind === 'conflict') return gone
    throw error
  }
}
