import type { Turns } from '../../../kernel/turns.ts'
import type { Account } from '../../accounts/account.ts'
import type { AccountStore } from '../../accounts/store/account-store.ts'
import { compareRules, type PermissionShift } from '../../permissions/covers-rules.ts'
import type { Permissions } from '../../permissions/permissions.ts'

/** Accounts that are read before other work continues. */
const pageSize = 200
const listedMax = 50
/** Cached results by list of groups; a server has a few dozen such lists. */
const cachedShiftsMax = 1000

export type AccountsImpactDeps = {
  readonly accountStore: Pick<AccountStore, 'listAccounts'>
  /** Whether the account can administer with these groups. */
  readonly canAdminister: (permissions: Permissions, account: Account) => boolean
  readonly turns: Turns
}

/** Permissions before and after a change of groups. */
export type GroupStates = { readonly before: Permissions; readonly after: Permissions }

/** The effects of changed groups on accounts. */
export type AccountsTouched = {
  readonly count: number
  readonly connected: number
  readonly listed: readonly (PermissionShift & { readonly email: string })[]
  /** The number of accounts in each group that would not exist. */
  readonly unknownGroups: ReadonlyMap<string, number>
  readonly administrators: { readonly before: number; readonly after: number }
}

async function* listAll({ accountStore, turns }: AccountsImpactDeps): AsyncGenerator<Account> {
  let cursor: string | undefined
  do {
    const page = await accountStore.listAccounts({ limit: pageSize, ...(cursor !== undefined && { cursor }) })
    yield* page.accounts
    cursor = page.nextCursor
    await turns.next()
  } while (cursor !== undefined)
}

/** Cached by the list of an account's groups, which thousands share. Accounts with grants are computed one by one, wherever the grants apply. */
const createShiftFor = ({ before, after }: GroupStates) => {
  const known = new Map<string, PermissionShift>()
  return (account: Account): PermissionShift => {
    const { groups, grants = [] } = account
    if (grants.length > 0) return compareRules(before.rulesAnywhere(account), after.rulesAnywhere(account))
    const key = JSON.stringify(groups)
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= cachedShiftsMax) known.clear()
    const shift = compareRules(before.rulesFor(groups), after.rulesFor(groups))
    known.set(key, shift)
    return shift
  }
}

/** Reads every account, 200 at a time. Throws the errors of the account store. */
export const findTouchedAccounts = async (
  deps: AccountsImpactDeps,
  states: GroupStates,
  connectedIds: ReadonlySet<string>,
): Promise<AccountsTouched> => {
  const shiftFor = createShiftFor(states)
  const existing = new Set(states.after.groupNames())
  const unknownGroups = new Map<string, number>()
  const listed: (PermissionShift & { readonly email: string })[] = []
  const administrators = { before: 0, after: 0 }
  let count = 0
  let connected = 0
  for await (const account of listAll(deps)) {
    const { email, playerId, groups, grants = [] } = account
    const named = new Set([...groups, ...grants.flatMap(({ group }) => group ?? [])])
    for (const name of named) if (!existing.has(name)) unknownGroups.set(name, (unknownGroups.get(name) ?? 0) + 1)
    if (deps.canAdminister(states.before, account)) administrators.before += 1
    if (deps.canAdminister(states.after, account)) administrators.after += 1
    const shift = shiftFor(account)
    if (shift.gains.length === 0 && shift.loses.length === 0) continue
    count += 1
    if (connectedIds.has(playerId)) connected += 1
    if (listed.length < listedMax) listed.push({ email, ...shift })
  }
  return { count, connected, listed, unknownGroups, administrators }
}
