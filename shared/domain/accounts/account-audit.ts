import { createAuditEntry } from '../audit/audit-entry.ts'
import type { AuditEntry } from '../audit/audit-log.ts'
import type { Account } from './account.ts'
import type { Transition } from './account-rules.ts'
import { viewAccount } from './account-view.ts'
import type { Actor } from './actor.ts'
import type { AccountServiceDeps } from './service/account-service-deps.ts'

/** Who an entry names, and where it came from. */
export type AuditActor = Pick<Actor, 'email' | 'via' | 'requestId' | 'undoes'> & Partial<Pick<Actor, 'verified'>>

/** The audit entry of a change, with both sides as others may see them. A changed subject of an identity provider is told, a new password only as the fact that there is one. */
export const auditAccount = (
  deps: Pick<AccountServiceDeps, 'clock' | 'ids'>,
  actor: AuditActor,
  action: string,
  { before, after }: Transition,
): AuditEntry => {
  const isSubjectKept = before?.subject === after?.subject
  const view = (account: Account | undefined) =>
    account && { ...viewAccount(account), ...(isSubjectKept ? {} : { subject: account.subject ?? null }) }
  const passwordChanged = before !== undefined && after !== undefined && before.passwordHash !== after.passwordHash
  return createAuditEntry(deps, actor, {
    action,
    target: (before ?? after)?.email ?? '',
    before: view(before),
    after: passwordChanged ? { ...view(after), passwordChanged } : view(after),
  })
}
