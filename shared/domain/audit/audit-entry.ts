import type { Clock } from '../../kernel/clock.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { AuditEntry } from './audit-log.ts'

/** Microseconds with leading zeros: orders what one process does within a millisecond. */
const microseconds = (milliseconds: number): string => String(Math.floor(milliseconds * 1000)).padStart(16, '0')

/** What an audit entry holds of the person who makes a change. */
export type AuditActor = Pick<AuditEntry, 'via' | 'requestId' | 'undoes'> & {
  readonly email: string
  /** False for a sign-in without a password or identity provider, and for an account whose email is not proven. */
  readonly verified?: boolean
}

const newcomerActions = ['account.guessed', 'account.register-again']

/** Whether anyone can cause the entry. Entries from before the mark are recognized by their action. */
export const isUnproven = ({
  unproven,
  action,
  actor,
  target,
}: Partial<Pick<AuditEntry, 'unproven' | 'action' | 'actor' | 'target'>>): boolean =>
  unproven === true ||
  (action !== undefined && newcomerActions.includes(action)) ||
  (action === 'account.create' && actor === target)

/** The entry of a change that `actor` makes now; ids sort by time. `before` and `after` must be free of secrets: they are kept as they are, `null` for nothing. */
export const createAuditEntry = (
  { clock, ids }: { readonly clock: Clock; readonly ids: Pick<Ids, 'uuid'> },
  { email, via, requestId, undoes, verified = true }: AuditActor,
  { action, target, before, after }: Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'>,
): AuditEntry => {
  const at = new Date(clock.now()).toISOString()
  const id = `${at}-${microseconds(clock.monotonic())}-${ids.uuid()}`
  const undone = undoes === undefined ? {} : { undoes }
  const marked = !verified || isUnproven({ action, actor: email, target }) ? { unproven: true as const } : {}
  const sides = { before: before ?? null, after: after ?? null }
  return { id, at, actor: email, action, target, ...sides, via, requestId, ...marked, ...undone }
}
