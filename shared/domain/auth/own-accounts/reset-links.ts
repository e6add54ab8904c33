import { Type } from '@sinclair/typebox'
import type { Clock } from '../../../kernel/clock.ts'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret, type Ids } from '../../../kernel/ids.ts'
import { createCollection, putWrite, type Store } from '../../../platform/storage/store.ts'
import type { Account } from '../../accounts/account.ts'
import { refuseBeyondOwn } from '../../accounts/account-rules.ts'
import type { Actor } from '../../accounts/actor.ts'
import type { AccountService } from '../../accounts/service/account-service.ts'
import type { AccountStore } from '../../accounts/store/account-store.ts'
import { createAuditEntry } from '../../audit/audit-entry.ts'
import { auditWrites } from '../../audit/store-audit-log.ts'
import { validatePassword } from '../../passwords/passwords.ts'
import { type IssuerDeps, isIssuerStillAllowed } from './issuer-rights.ts'
import { createLinkCode, isSameHash, parseLinkCode } from './link-secret.ts'

const lifeMs = 86_400_000

/** By playerId: the last link that was made for the account. */
const resetLinks = createCollection(
  'reset-links',
  ClosedObject({
    hash: Type.String(),
    /** The link opens nothing once the account has another password than when it was made: it can be used once. */
    passwordWas: Type.String(),
    /** The email of who made it. */
    by: Type.Optional(Type.String()),
    until: Type.String({ format: 'date-time' }),
  }),
)

export type ResetLink = { readonly code: string; readonly until: string }

export type ResetLinks = {
  /** A link that sets a new password once, for a day; the one before opens nothing any more. Throws `not-found`, `beyond-own-permissions`. */
  create(actor: Actor, email: string): Promise<ResetLink>
  /** Sets the password and ends every sign-in of the account. Throws `forbidden` `invalid-reset-link` for every code that opens nothing, one that its maker could not make by now included. */
  use(code: string, password: string, origin: { readonly address: string; readonly requestId: string }): Promise<void>
}

type Deps = IssuerDeps & {
  readonly store: Store
  readonly accountStore: Pick<AccountStore, 'findByEmail' | 'findByPlayerId'>
  readonly accounts: Pick<AccountService, 'getAccount' | 'setOwnPassword'>
  readonly clock: Clock
  readonly ids: Ids
}

const invalidLink = () =>
  new AppError('forbidden', 'invalid-reset-link', 'The link is wrong, used or over; ask an administrator for another.')

const markOf = ({ passwordHash }: Account): string => hashSecret(passwordHash ?? '')

const createLink = (deps: Deps): ResetLinks['create'] => {
  const { store, accounts, permissions, clock, ids } = deps
  return async (actor, email) => {
    const account = await accounts.getAccount(email)
    refuseBeyondOwn(permissions, actor.rules, { before: account, after: account })
    const { id, hash, code } = createLinkCode(ids, account.playerId)
    const until = new Date(clock.now() + lifeMs).toISOString()
    const entry = createAuditEntry({ clock, ids }, actor, {
      action: 'account.reset-link',
      target: account.email,
      before: null,
      after: { until },
    })
    const link = { hash, passwordWas: markOf(account), by: actor.email, until }
    await store.commit([putWrite(resetLinks, id, link), ...auditWrites(entry)])
    return { code, until }
  }
}

const useLink = (deps: Deps): ResetLinks['use'] => {
  const { store, accountStore, accounts, clock } = deps
  return async (code, next, { address, requestId }) => {
    validatePassword(next)
    const parsed = parseLinkCode(code)
    const found = parsed && (await store.get(resetLinks, parsed.id))
    const account = parsed && (await accountStore.findByPlayerId(parsed.id))
    if (parsed === undefined || found === undefined || account === undefined) throw invalidLink()
    const { hash, passwordWas, by = '', until } = found.value
    if (!isSameHash(hash, parsed.hash) || Date.parse(until) <= clock.now() || passwordWas !== markOf(account)) throw invalidLink()
    const same = { before: account, after: account }
    if (!(await isIssuerStillAllowed(deps, by, same, ['admin.users.write']))) throw invalidLink()
    // Of two at once the second finds another password.
    await accounts.setOwnPassword({ account, next, address, requestId, provesEmail: true }).catch((error: unknown) => {
      throw error instanceof AppError && error.slug === 'conflict' ? invalidLink() : error
    })
    await store.delete(resetLinks, parsed.id)
  }
}

export const createResetLinks = (deps: Deps): ResetLinks => ({ create: createLink(deps), use: useLink(deps) })
