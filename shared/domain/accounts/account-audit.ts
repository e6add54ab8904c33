import { type AuditActor, createAuditEntry } from '../audit/audit-entry.ts'
import type { AuditEntry } from '../audit/audit-log.ts'
import type { Account } from './account.ts'
import { viewAccount } from './account-view.ts'
import type { AccountServiceDeps } from './service/account-service-deps.ts'
import type { Transition } from './who-may-grant.ts'

/** The audit entry of a change, with both sides as other users may see them. It shows a changed `subject`, but only the fact that a password changed. */
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
