import { Type } from '@sinclair/typebox'
import type { Clock } from '../../../kernel/clock.ts'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashSecret, type Ids } from '../../../kernel/ids.ts'
import { createCollection, putWrite, type Store } from '../../../platform/storage/store.ts'
import type { Account } from '../../accounts/account.ts'
import type { Actor } from '../../accounts/actor.ts'
import type { AccountService } from '../../accounts/service/account-service.ts'
import type { AccountStore } from '../../accounts/store/account-store.ts'
import { refuseBeyondOwn } from '../../accounts/who-may-grant.ts'
import { createAuditEntry } from '../../audit/audit-entry.ts'
import { auditWrites } from '../../audit/store-audit-log.ts'
import { validatePassword } from '../../passwords/passwords.ts'
import { type IssuerDeps, isIssuerStillAllowed } from './issuer-rights.ts'
import { createLinkCode, isSameHash, parseLinkCode } from './link-secret.ts'

const lifeMs = 86_400_000

/** By playerId: the latest link of the account. */
const resetLinks = createCollection(
  'reset-links',
  ClosedObject({
    hash: Type.String(),
    /** Mark of the password when the link was created. The link is invalid once the password has changed, so it works only once. */
    passwordWas: Type.String(),
    /** The email of the creator. */
    by: Type.Optional(Type.String()),
    until: Type.String({ format: 'date-time' }),
  }),
)

export type ResetLink = { readonly code: string; readonly until: string }

export type ResetLinks = {
  /** Creates a link that sets a new password once, valid for a day. It replaces the previous link. Throws `not-found`, `beyond-own-permissions`. */
  create(actor: Actor, email: string): Promise<ResetLink>
  /** Sets the password and ends every sign-in of the account. Throws `forbidden` `invalid-reset-link` for every invalid code, including one whose creator could no longer create it. */
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
  new AppError('forbidden', 'invalid-reset-link', 'This link is invalid, used or expired. Ask an administrator for a new one.')

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
    // Of two concurrent uses, the second fails because the password has changed.
    await accounts.setOwnPassword({ account, next, address, requestId, provesEmail: true }).catch((error: unknown) => {
      throw error instanceof AppError && error.slug === 'conflict' ? invalidLink() : error
    })
    await store.delete(resetLinks, parsed.id)
  }
}

export const createResetLinks = (deps: Deps): ResetLinks => ({ create: createLink(deps), use: useLink(deps) })
