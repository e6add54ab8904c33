import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createCollection, type Precondition, type Store } from '../../storage/store.ts'

/** How much of the audit log there is, by days; what is younger than an hour is not counted yet. */
export type AuditTally = {
  /** Id of the last entry that was counted; empty before the first. */
  readonly countedUpTo: string
  /** Entries up to this id are gone, or are being deleted. */
  readonly prunedUpTo: string
  /** Bytes of JSON in all records of a day's entries, by `2026-11-23`. */
  readonly days: Readonly<Record<string, number>>
}

const tallies = createCollection(
  'audit-tallies',
  ClosedObject({ countedUpTo: Type.String(), prunedUpTo: Type.String(), days: Type.Record(Type.String(), Type.Integer()) }),
)
const id = 'tally'

const emptyTally: AuditTally = { countedUpTo: '', prunedUpTo: '', days: {} }

/** The tally as one process holds it while it works. */
export type HeldTally = {
  read(): AuditTally
  /** Durable when it resolves; throws AppError `conflict` where another process was faster. */
  write(next: AuditTally): Promise<void>
}

export const holdTally = async (store: Store): Promise<HeldTally> => {
  const found = await store.get(tallies, id)
  let current: AuditTally = found?.value ?? emptyTally
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

export const totalBytes = ({ days }: AuditTally): number => Object.values(days).reduce((sum, bytes) => sum + bytes, 0)
