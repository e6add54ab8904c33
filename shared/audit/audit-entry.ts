import type { Clock } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import type { AuditEntry } from './audit-log.ts'

/** Microseconds with leading zeros: orders what one process does within a millisecond. */
const microseconds = (milliseconds: number): string => String(Math.floor(milliseconds * 1000)).padStart(16, '0')

/** What an audit entry holds of the person who makes a change. */
export type AuditActor = Pick<AuditEntry, 'via' | 'requestId' | 'undoes'> & { readonly email: string }

/** The entry of a change that `actor` makes now; ids sort by time. `before` and `after` must be free of secrets: they are kept as they are, `null` for nothing. */
export const createAuditEntry = (
  { clock, ids }: { readonly clock: Clock; readonly ids: Pick<Ids, 'uuid'> },
  { email, via, requestId, undoes }: AuditActor,
  { action, target, before, after }: Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'>,
): AuditEntry => {
  const at = new Date(clock.now()).toISOString()
  const id = `${at}-${microseconds(clock.monotonic())}-${ids.uuid()}`
  const undone = undoes === undefined ? {} : { undoes }
  return { id, at, actor: email, action, target, before: before ?? null, after: after ?? null, via, requestId, ...undone }
}
