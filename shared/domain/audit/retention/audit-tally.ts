import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { createCollection, type Precondition, type Store } from '../../../platform/storage/store.ts'

const Days = Type.Record(Type.String(), Type.Integer())

/** The data needed to delete an entry and subtract it from the tally. */
const CountedEntry = ClosedObject({
  id: Type.String(),
  actor: Type.String(),
  target: Type.String(),
  requestId: Type.String(),
  bytes: Type.Integer(),
  unproven: Type.Boolean(),
  /** Number of changes in a grouped entry. */
  count: Type.Optional(Type.Integer()),
})
export type CountedEntry = Static<typeof CountedEntry>

/** The size of the audit log by day. Entries younger than an hour are not counted yet. */
const AuditTally = ClosedObject({
  /** Id of the last counted entry; empty before the first. */
  countedUpTo: Type.String(),
  /** Bytes of JSON in all records of a day's entries, by date such as `2026-11-23`. */
  days: Days,
  /** The same for unproven entries only. */
  unprovenDays: Days,
  /** All unproven entries up to this id are deleted. */
  unprovenGoneUpTo: Type.String(),
  /** Entries that are already subtracted and are being deleted. */
  going: Type.Array(CountedEntry),
})
export type AuditTally = Static<typeof AuditTally>

/** An older form without unproven entries; a new count replaces it. */
const OldTally = ClosedObject({ countedUpTo: Type.String(), prunedUpTo: Type.String(), days: Days })

const tallies = createCollection('audit-tallies', Type.Union([AuditTally, OldTally]))
const id = 'tally'

const emptyTally: AuditTally = { countedUpTo: '', days: {}, unprovenDays: {}, unprovenGoneUpTo: '', going: [] }

/** The tally during the work of one process. */
export type HeldTally = {
  read(): AuditTally
  /** Durable when it resolves; throws AppError `conflict` if another process has written in the meantime. */
  write(next: AuditTally): Promise<void>
}

export const holdTally = async (store: Store): Promise<HeldTally> => {
  const found = await store.get(tallies, id)
  let current: AuditTally = found !== undefined && 'going' in found.value ? found.value : emptyTally
  let seen: Precondition = { ifVersion: found?.version ?? null }
  return {
    read: () => current,
    write: async (next) => {
      seen = { ifVersion: await store.put(tallies, id, next, seen) }
      current = next
    },
  }
}

/** Ids begin with the time of their entry. */
export const dayOf = (entryId: string): string => entryId.slice(0, 10)

/** `days` with `bytes` added to a day, or subtracted. Days without bytes are dropped. */
export const addBytes = (days: AuditTally['days'], day: string, bytes: number): AuditTally['days'] => {
  const { [day]: before = 0, ...others } = days
  return before + bytes > 0 ? { ...others, [day]: before + bytes } : others
}

export const totalBytes = (days: AuditTally['days']): number => Object.values(days).reduce((sum, bytes) => sum + bytes, 0)
