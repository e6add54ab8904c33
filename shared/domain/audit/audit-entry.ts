import type { Clock } from '../../kernel/clock.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { AuditEntry } from './audit-log.ts'

/** Microseconds with leading zeros, to order entries of one process within a millisecond. */
const microseconds = (milliseconds: number): string => String(Math.floor(milliseconds * 1000)).padStart(16, '0')

/** The caller of a change, as an audit entry stores it. */
export type AuditActor = Pick<AuditEntry, 'via' | 'requestId' | 'undoes' | 'mergedInto'> & {
  readonly email: string
  /** False for a sign-in without a password or identity provider, and for an account whose email is not proven. */
  readonly verified?: boolean
}

const newcomerActions = ['account.guessed', 'account.register-again']

/** Whether anyone can cause the entry. Entries older than the `unproven` mark are recognized by their action. */
export const isUnproven = ({
  unproven,
  action,
  actor,
  target,
}: Partial<Pick<AuditEntry, 'unproven' | 'action' | 'actor' | 'target'>>): boolean =>
  unproven === true ||
  (action !== undefined && newcomerActions.includes(action)) ||
  (action === 'account.create' && actor === target)

/** The entry of a change that `actor` makes now; ids sort by time. `before` and `after` are stored as they are and must not contain secrets; `null` if absent. */
export const createAuditEntry = (
  { clock, ids }: { readonly clock: Clock; readonly ids: Pick<Ids, 'uuid'> },
  { email, via, requestId, undoes, mergedInto, verified = true }: AuditActor,
  { action, target, before, after }: Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'>,
): AuditEntry => {
  const at = new Date(clock.now()).toISOString()
  const id = `${at}-${microseconds(clock.monotonic())}-${ids.uuid()}`
  const undone = undoes === undefined ? {} : { undoes }
  const merged = mergedInto === undefined ? {} : { mergedInto }
  const marked = !verified || isUnproven({ action, actor: email, target }) ? { unproven: true as const } : {}
  const sides = { before: before ?? null, after: after ?? null }
  return { id, at, actor: email, action, target, ...sides, via, requestId, ...marked, ...undone, ...merged }
}
