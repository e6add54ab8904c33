import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../kernel/errors.ts'
import type { Account } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { refuseBeyondOwn, refuseLastAdministrator } from '../account-rules.ts'
import { accountEtag } from '../account-view.ts'
import type { Actor } from '../actor.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { keepMapped } from './mapped-groups.ts'
import type { DecideChange } from './rehearse-change.ts'

/** The account as it shall be, made from how it is; may throw to refuse. */
export type Alter = (current: Account) => Account

export type Altered = { readonly account: Account; readonly changed: boolean }

export const accountMissing = (): AppError => new AppError('not-found', 'not-found', 'There is no account with that email.')

/** Throws `stale` unless `ifMatch`, where there is one, is the account's entity tag. */
export const refuseStale = (account: Account, ifMatch: string | undefined): void => {
  if (ifMatch === undefined || ifMatch === accountEtag(account)) return
  throw new AppError('stale', 'stale', 'The account has changed since you read it; read it again and repeat.')
}

/** Decides the change of an account that exists, with all rules of such changes; one that alters nothing writes nothing. */
export const decideAlteration =
  (deps: AccountServiceDeps, actor: Actor, alter: Alter, ifMatch?: string): DecideChange<Altered> =>
  (before, context) => {
    if (before === undefined) throw accountMissing()
    refuseStale(before, ifMatch)
    const after = keepMapped(before, alter(before))
    refuseBeyondOwn(deps.permissions, actor.rules, { before, after })
    refuseLastAdministrator(context, { before, after })
    if (isDeepStrictEqual(before, after)) return { next: before, result: { account: before, changed: false } }
    return {
      next: after,
      result: { account: after, changed: true },
      audit: auditAccount(deps, actor, 'account.update', { before, after }),
    }
  }

/** Makes the change and announces it. */
export const alterAccount = async (deps: AccountServiceDeps, email: string, decide: DecideChange<Altered>): Promise<Account> => {
  const { account, changed } = await deps.accountStore.change(email, decide)
  if (changed) await deps.events.publish('account-changed', { playerId: account.playerId, email })
  return account
}
