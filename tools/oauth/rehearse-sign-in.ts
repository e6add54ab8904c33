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

/** What a sign-in would make of an account; `before` is absent for one that it would create. */
export type Rehearsed = {
  readonly before: Account | undefined
  /** As it would be; where the sign-in is refused it may still have lost what is mapped no more. */
  readonly after: Account | undefined
  /** Why nobody comes in, in the words of the log. */
  readonly refusal?: string
}

/** The sign-in itself, on a copy of the one account that it is about: nothing is written, published or revoked. */
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
    tokens: { ping: async () => undefined, revokeAccount: async () => undefined },
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
