import type { AuditLog } from '../../audit/audit-log.ts'
import type { Account } from '../account.ts'
import { createAccountIndex, findNamed, listEndedOf } from './account-index.ts'
import { pageAccounts } from './account-pages.ts'
import type { AccountStore } from './account-store.ts'
import { createChangeQueue } from './change-queue.ts'
import { planChanges } from './plan-changes.ts'

export type MemoryAccountStoreDeps = {
  /** Whether the account can administer by the currently active groups. */
  readonly isAdministrator: (account: Account) => boolean
  readonly audit: AuditLog
}

/** An in-memory account store for tests. */
export const createMemoryAccountStore = ({ isAdministrator, audit }: MemoryAccountStoreDeps): AccountStore => {
  const index = createAccountIndex()
  let commits = 0
  const queue = createChangeQueue(async (batch) => {
    const plan = planChanges(index, batch, isAdministrator)
    if (plan.audit.length > 0) await audit.append(plan.audit)
    if (plan.changes.size > 0) {
      index.apply(plan.changes)
      commits += 1
    }
    plan.settle()
  })
  return {
    findByEmail: async (email) => index.byEmail.get(email),
    findByPlayerId: async (playerId) => index.byPlayerId.get(playerId),
    findBySubject: async (subject) => index.bySubject.get(subject),
    findByName: async (displayName, except) => findNamed(index, displayName, except),
    isAdministrator,
    listAccounts: async (query) => pageAccounts(index, query),
    listAdministrators: async () => index.sorted().filter(isAdministrator),
    listEnded: async (nowMs) => listEndedOf(index, nowMs),
    version: async () => String(commits),
    warnings: async () => [],
    change: queue.change,
    move: queue.move,
    close: queue.drain,
  }
}
