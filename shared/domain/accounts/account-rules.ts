import { AppError } from '../../kernel/errors.ts'
import type { GrantHolder } from '../permissions/account-grant.ts'
import { coversRules } from '../permissions/covers-rules.ts'
import { describeUnknownGroup } from '../permissions/group-names.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { RuleSet } from '../permissions/rules.ts'
import type { Account } from './account.ts'
import type { AccountContext } from './store/account-store.ts'

/** An account before and after a change; undefined where it is not there. */
export type Transition = { readonly before: Account | undefined; readonly after: Account | undefined }

/**
 * Whether `actor` holds all that the account may do, whichever of its grants count. What a grant takes away is there again where that grant does not count, and when it is over.
 */
export const coversAccount = (permissions: Permissions, actor: RuleSet, { groups, grants = [] }: GrantHolder): boolean =>
  coversRules(actor, permissions.rulesFor(groups)) &&
  grants.every((grant) => coversRules(actor, permissions.rulesAnywhere({ groups, grants: [grant] })))

/** Names who holds what the actor lacks, for a sentence; undefined for nobody. */
const findBeyond = (permissions: Permissions, actor: RuleSet, { before, after }: Transition): string | undefined => {
  const covers = (groups: readonly string[]) => coversRules(actor, permissions.rulesFor(groups))
  const coversWhole = (account: Account | undefined) => account === undefined || coversAccount(permissions, actor, account)
  const held = before?.groups ?? []
  const wanted = after?.groups ?? []
  const moved = [...wanted.filter((name) => !held.includes(name)), ...held.filter((name) => !wanted.includes(name))]
  const beyond = moved.find((name) => !covers([name]))
  const idsOf = (account: Account | undefined) => new Set(account?.grants?.map(({ id }) => id))
  const [idsBefore, idsAfter] = [idsOf(before), idsOf(after)]
  const movedGrants = [
    ...(after?.grants ?? []).filter(({ id }) => !idsBefore.has(id)),
    ...(before?.grants ?? []).filter(({ id }) => !idsAfter.has(id)),
  ]
  // Each by itself, too: what is taken away from the account elsewhere hides nothing of it.
  const coversGrants = movedGrants.every((grant) =>
    coversRules(actor, permissions.rulesAnywhere({ groups: [], grants: [grant] })),
  )
  if (beyond !== undefined) return `The group "${beyond}"`
  return coversGrants && coversWhole(before) && coversWhole(after) ? undefined : 'That account'
}

/** Throws `forbidden` `beyond-own-permissions` unless `actor` holds all that the account may do. */
export const refuseHigher = (permissions: Permissions, actor: RuleSet, account: GrantHolder): void => {
  if (coversAccount(permissions, actor, account)) return
  const detail = 'That player holds a permission that you lack. Ask an admin who has it.'
  throw new AppError('forbidden', 'beyond-own-permissions', detail)
}

/** The same for a kick. The session of a limited sign-in is compared by what it may do: a stranger may play under an administrator's email. */
export const refuseKick = (permissions: Permissions, actor: RuleSet, account: GrantHolder, isLimited: boolean): void =>
  refuseHigher(permissions, actor, isLimited ? { groups: permissions.defaultGroups() } : account)

/** Whether `actor` lacks a permission of the account before or after, or one of a group or a grant that comes or goes. */
export const isBeyondOwn = (permissions: Permissions, actor: RuleSet, transition: Transition): boolean =>
  findBeyond(permissions, actor, transition) !== undefined

/**
 * Throws `forbidden` `beyond-own-permissions` unless `actor` covers all rules of the account before and after, and those of each group that comes or goes. A group may hold a permission that another group takes away.
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

/** Throws `conflict` `last-administrator` if nobody could administer after the change, but somebody could before. Who is banned cannot. */
export const refuseLastAdministrator = (
  context: AccountContext,
  { before, after }: Transition,
  isBanned: (email: string) => boolean,
): void => {
  if (before === undefined || !context.isAdministrator(before)) return
  if (after !== undefined && context.isAdministrator(after)) return
  // Not looked at before it is needed: a store may have to ask for them.
  const counts = (email: string): boolean => email !== before.email && (isBanned(before.email) || !isBanned(email))
  if ([...context.administrators].some(counts)) return
  throw new AppError(
    'conflict',
    'last-administrator',
    'This is the last account that can administer; make somebody else one first.',
  )
}

/** Throws `unprocessable` `unknown-group` with a pointer to each of `asked` that neither exists nor is among `held`. */
export const refuseUnknownGroups = (permissions: Permissions, asked: readonly string[], held: readonly string[]): void => {
  const assignable = permissions.assignableGroups()
  const known = new Set([...assignable, ...held])
  const errors = asked.flatMap((name, index) =>
    known.has(name) ? [] : [{ pointer: `/groups/${index}`, message: describeUnknownGroup(name, assignable) }],
  )
  if (errors.length === 0) return
  const detail = errors.map(({ message }) => message).join(' ')
  throw new AppError('unprocessable', 'unknown-group', detail, { errors })
}
