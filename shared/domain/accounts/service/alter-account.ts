import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../kernel/errors.ts'
import { refuseCommonPromotion } from '../../passwords/new-password.ts'
import type { Account } from '../account.ts'
import { auditAccount } from '../account-audit.ts'
import { accountEtag } from '../account-view.ts'
import type { Actor } from '../actor.ts'
import { normalizeEmail } from '../email.ts'
import { claimName, type NameChoice } from '../names/display-name-taken.ts'
import { emailTaken } from '../store/plan-changes.ts'
import { refuseBeyondOwn, refuseLastAdministrator, refuseUnknownGroups } from '../who-may-grant.ts'
import type { AccountService } from './account-service.ts'
import type { AccountServiceDeps } from './account-service-deps.ts'
import { grantMapped, keepMapped } from './mapped-groups.ts'
import { type DecideChange, rehearseChange } from './rehearse-change.ts'

/** Returns the account after the change; may throw to refuse. */
type Alter = (current: Account) => Account

export type AlterOptions = NameChoice & { readonly ifMatch?: string | undefined }

export type Altered = { readonly account: Account; readonly changed: boolean }

export const accountMissing = (): AppError => new AppError('not-found', 'not-found', 'There is no account with that email.')

/** Throws `stale` unless `ifMatch` is absent or the account's entity tag. */
export const refuseStale = (account: Account, ifMatch: string | undefined, nowMs: number): void => {
  if (ifMatch === undefined || ifMatch === accountEtag(account, nowMs)) return
  throw new AppError('stale', 'stale', 'The account has changed since you read it. Read it again, then repeat the change.')
}

/** Decides the change of an existing account by all rules. A change without a difference writes nothing. */
export const decideAlteration =
  (deps: AccountServiceDeps, actor: Actor, alter: Alter, { ifMatch, force }: AlterOptions = {}): DecideChange<Altered> =>
  (before, context) => {
    if (before === undefined) throw accountMissing()
    refuseStale(before, ifMatch, deps.clock.now())
    const after = keepMapped(before, alter(before))
    refuseBeyondOwn(deps.permissions, actor.rules, { before, after })
    refuseCommonPromotion(deps.permissions, before, after)
    refuseLastAdministrator(context, { before, after }, deps.isBanned)
    if (isDeepStrictEqual(before, after)) return { next: before, result: { account: before, changed: false } }
    return {
      next: after,
      result: { account: after, changed: true },
      audit: auditAccount(deps, actor, 'account.update', { before, after }),
      ...claimName(before, after, { force }),
    }
  }

/**
 * Sanctions move first. If the process stops in between, they belong to an email without an account, and the same request repeated
 * finishes the move. If the account cannot move, they move back.
 */
const moveAccount = async (deps: AccountServiceDeps, email: string, to: string, decide: DecideChange<Altered>) => {
  await rehearseChange(deps.accountStore, email, decide)
  if ((await deps.accountStore.findByEmail(to)) !== undefined) throw emailTaken()
  await deps.moveSanctions(email, to)
  try {
    return await deps.accountStore.move(email, to, decide)
  } catch (error) {
    await deps.moveSanctions(to, email)
    throw error
  }
}

/** Makes the change and publishes its event; `to` is the email of the account afterwards. */
export const alterAccount = async (
  deps: AccountServiceDeps,
  email: string,
  decide: DecideChange<Altered>,
  to = email,
): Promise<Account> => {
  const { account, changed } = await (to === email
    ? deps.accountStore.change(email, decide)
    : moveAccount(deps, email, to, decide))
  if (changed) await deps.events.publish('account-changed', { playerId: account.playerId, email: account.email })
  return account
}

type Combine = (account: Account, names: readonly string[]) => Account

const add: Combine = (account, names) => ({ ...grantMapped(account, names), groups: [...new Set([...account.groups, ...names])] })
const remove: Combine = (account, names) => ({ ...account, groups: account.groups.filter((name) => !names.includes(name)) })

const createGroupChange =
  (deps: AccountServiceDeps, combine: Combine): AccountService['addGroups'] =>
  async (actor, text, groups) => {
    const email = normalizeEmail(text)
    if (email === undefined) throw accountMissing()
    if (groups.length === 0) throw new AppError('invalid', 'bad-request', 'Name at least one group.')
    const decide = decideAlteration(deps, actor, (current) => {
      refuseUnknownGroups(deps.permissions, groups, current.groups)
      return combine(current, groups)
    })
    return alterAccount(deps, email, decide)
  }

/** `AccountService.addGroups`. */
export const createGroupAddition = (deps: AccountServiceDeps): AccountService['addGroups'] => createGroupChange(deps, add)

/** `AccountService.removeGroups`. It can also remove a group that no longer exists. */
export const createGroupRemoval = (deps: AccountServiceDeps): AccountService['removeGroups'] => createGroupChange(deps, remove)
