import type { Account } from '../../shared/domain/accounts/account.ts'
import { normalizeEmail } from '../../shared/domain/accounts/email.ts'
import { createVouchedSignIn, type VouchedIdentity } from '../../shared/domain/accounts/service/vouched-sign-in.ts'
import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import { createMemoryAccountStore } from '../../shared/domain/accounts/store/memory-account-store.ts'
import { createStoreAuditLog } from '../../shared/domain/audit/store-audit-log.ts'
import type { Permissions } from '../../shared/domain/permissions/permissions.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { createMemoryStore } from '../../shared/platform/storage/memory-store.ts'

export type RehearsalDeps = {
  readonly accountStore: Pick<AccountStore, 'findByEmail' | 'findBySubject'>
  readonly permissions: Permissions
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** The effect of a sign-in on an account. `before` is absent for an account that it would create. */
export type Rehearsed = {
  readonly before: Account | undefined
  /** The account after the sign-in. Even after a refusal it may have lost groups that are no longer mapped. */
  readonly after: Account | undefined
  /** Why the sign-in is refused, in the words of the log. */
  readonly refusal?: string
}

/** Runs the sign-in on a copy of its one account. Writes, publishes and revokes nothing. */
export const rehearseSignIn = async (deps: RehearsalDeps, identity: VouchedIdentity): Promise<Rehearsed> => {
  const { accountStore } = deps
  const email = normalizeEmail(identity.email ?? '')
  const byEmail = email === undefined ? undefined : await accountStore.findByEmail(email)
  const before = (await accountStore.findBySubject(identity.subject)) ?? byEmail
  const copy = createMemoryAccountStore({ isAdministrator: () => false, audit: createStoreAuditLog(createMemoryStore()) })
  if (before !== undefined) await copy.change(before.email, () => ({ next: before, result: undefined }))
  const signIn = createVouchedSignIn({
    ...deps,
    accountStore: copy,
    passwords: { hash: async () => '' },
    tokens: { ping: async () => undefined, revokeAccount: async () => undefined, endAccount: async () => undefined },
    events: { publish: async () => undefined },
  })
  try {
    return { before, after: await signIn(identity, 'rehearsal') }
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'forbidden') throw error
    const after = before && (await copy.findByEmail(before.email))
    return { before, after, refusal: error.cause instanceof Error ? error.cause.message : error.publicDetail }
  } finally {
    await copy.close()
  }
}
