import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { createCollection, type Precondition, type Store } from '../../../platform/storage/store.ts'

const Days = Type.Record(Type.String(), Type.Integer())

/** What it takes to delete an entry and to subtract it from the tally. */
const CountedEntry = ClosedObject({
  id: Type.String(),
  actor: Type.String(),
  target: Type.String(),
  requestId: Type.String(),
  bytes: Type.Integer(),
  unproven: Type.Boolean(),
})
export type CountedEntry = Static<typeof CountedEntry>

/** How much of the audit log there is, by days. Entries younger than an hour are not counted yet. */
const AuditTally = ClosedObject({
  /** Id of the last entry that was counted; empty before the first. */
  countedUpTo: Type.String(),
  /** Bytes of JSON in all records of a day's entries, by `2026-11-23`. */
  days: Days,
  /** The same of entries of unproven people alone. */
  unprovenDays: Days,
  /** No unproven entry up to this id is left. */
  unprovenGoneUpTo: Type.String(),
  /** Entries that are subtracted already and are being deleted. */
  going: Type.Array(CountedEntry),
})
export type AuditTally = Static<typeof AuditTally>

/** From before unproven entries were counted; it is replaced by a new count. */
const OldTally = ClosedObject({ countedUpTo: Type.String(), prunedUpTo: Type.String(), days: Days })

const tallies = createCollection('audit-tallies', Type.Union([AuditTally, OldTally]))
const id = 'tally'

const emptyTally: AuditTally = { countedUpTo: '', days: {}, unprovenDays: {}, unprovenGoneUpTo: '', going: [] }

/** The tally as one process holds it while it works. */
export type HeldTally = {
  read(): AuditTally
  /** Durable when it resolves; throws AppError `conflict` where another process was faster. */
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

/** `days` with so many bytes more, or fewer; a day of which nothing is left is left out. */
export const addBytes = (days: AuditTally['days'], day: string, bytes: number): AuditTally['days'] => {
  const { [day]: before = 0, ...others } = days
  return before + bytes > 0 ? { ...others, [day]: before + bytes } : others
}

export const totalBytes = (days: AuditTally['days']): number => Object.values(days).reduce((sum, bytes) => sum + bytes, 0)
