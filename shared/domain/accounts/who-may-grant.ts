import { AppError } from '../../kernel/errors.ts'
import type { GrantHolder } from '../permissions/account-grant.ts'
import { coversRules } from '../permissions/covers-rules.ts'
import { describeUnknownGroup } from '../permissions/groups-config.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { RuleSet } from '../permissions/rules.ts'
import type { Account } from './account.ts'
import type { AccountContext } from './store/account-store.ts'

/** An account before and after a change; undefined when it does not exist. */
export type Transition = { readonly before: Account | undefined; readonly after: Account | undefined }

/**
 * Whether `actor` has every permission of the account, with any of its grants.
 * A grant that takes a permission away hides nothing: the permission returns when the grant ends, or where it does not apply.
 */
export const coversAccount = (permissions: Permissions, actor: RuleSet, { groups, grants = [] }: GrantHolder): boolean =>
  coversRules(actor, permissions.rulesFor(groups)) &&
  grants.every((grant) => coversRules(actor, permissions.rulesAnywhere({ groups, grants: [grant] })))

/** The group or account with a permission that the actor lacks, as the subject of a sentence; undefined if there is none. */
const findBeyond = (permissions: Permissions, actor: RuleSet, { before, after }: Transition): string | undefined => {
  const covers = (groups: readonly string[]) => coversRules(actor, permissions.rulesFor(groups))
  const coversWhole = (account: Account | undefined) => account === undefined || coversAccount(permissions, actor, account)
  const groupsBefore = before?.groups ?? []
  const groupsAfter = after?.groups ?? []
  const changedGroups = [
    ...groupsAfter.filter((name) => !groupsBefore.includes(name)),
    ...groupsBefore.filter((name) => !groupsAfter.includes(name)),
  ]
  const beyond = changedGroups.find((name) => !covers([name]))
  const idsOf = (account: Account | undefined) => new Set(account?.grants?.map(({ id }) => id))
  const [idsBefore, idsAfter] = [idsOf(before), idsOf(after)]
  const changedGrants = [
    ...(after?.grants ?? []).filter(({ id }) => !idsBefore.has(id)),
    ...(before?.grants ?? []).filter(({ id }) => !idsAfter.has(id)),
  ]
  // Each grant by itself as well: another grant may take the same permission away at another place.
  const coversGrants = changedGrants.every((grant) =>
    coversRules(actor, permissions.rulesAnywhere({ groups: [], grants: [grant] })),
  )
  if (beyond !== undefined) return `The group "${beyond}"`
  return coversGrants && coversWhole(before) && coversWhole(after) ? undefined : 'That account'
}

/** Throws `forbidden` `beyond-own-permissions` unless `actor` has every permission of the account. */
export const refuseHigher = (permissions: Permissions, actor: RuleSet, account: GrantHolder): void => {
  if (coversAccount(permissions, actor, account)) return
  const detail = 'That player holds a permission that you lack. Ask an admin who has it.'
  throw new AppError('forbidden', 'beyond-own-permissions', detail)
}

/** `refuseHigher` for a kick. A limited sign-in counts with the default groups only: anyone may play under an administrator's email. */
export const refuseKick = (permissions: Permissions, actor: RuleSet, account: GrantHolder, isLimited: boolean): void =>
  refuseHigher(permissions, actor, isLimited ? { groups: permissions.defaultGroups() } : account)

/** Whether `actor` lacks a permission of the account before or after the change, or of a group or grant that is added or removed. */
export const isBeyondOwn = (permissions: Permissions, actor: RuleSet, transition: Transition): boolean =>
  findBeyond(permissions, actor, transition) !== undefined

/**
 * Throws `forbidden` `beyond-own-permissions` unless `actor` covers all rules of the account before and after, and those of each group
 * that is added or removed. A group may hold a permission that another group takes away.
 */
export const refuseBeyondOwn = (permissions: Permissions, actor: RuleSet, transition: Transition): void => {
  const holder = findBeyond(permissions, actor, transition)
  if (holder === undefined) return
  throw new AppError(
    'forbidden',
    'beyond-own-permissions',
    `${holder} holds a permission that you lack. Ask an admin who has it.`,
  )
}

/** Throws `conflict` `last-administrator` if the change would leave no account that can administer. Banned accounts cannot. */
export const refuseLastAdministrator = (
  context: AccountContext,
  { before, after }: Transition,
  isBanned: (email: string) => boolean,
): void => {
  if (before === undefined || !context.isAdministrator(before)) return
  if (after !== undefined && context.isAdministrator(after)) return
  // Read lazily: a store may need a query for the administrators.
  const counts = (email: string): boolean => email !== before.email && (isBanned(before.email) || !isBanned(email))
  if ([...context.administrators].some(counts)) return
  throw new AppError(
    'conflict',
    'last-administrator',
    'This is the last account that can administer. Make another account an administrator first.',
  )
}

/** Throws `unprocessable` `unknown-group` with a pointer to each name in `requested` that neither exists nor is in `assigned`. */
export const refuseUnknownGroups = (
  permissions: Permissions,
  requested: readonly string[],
  assigned: readonly string[],
): void => {
  const assignable = permissions.assignableGroups()
  const known = new Set([...assignable, ...assigned])
  const errors = requested.flatMap((name, index) =>
    known.has(name) ? [] : [{ pointer: `/groups/${index}`, message: describeUnknownGroup(name, assignable) }],
  )
  if (errors.length === 0) return
  const detail = errors.map(({ message }) => message).join(' ')
  throw new AppError('unprocessable', 'unknown-group', detail, { errors })
}
