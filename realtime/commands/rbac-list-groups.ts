import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import type { GroupView } from '../../shared/domain/permissions/permissions.ts'
import type { Command } from './command.ts'

/** The number of accounts to search for groups that do not exist. */
const accountsSearchedMax = 20_000
const pageSize = 200

type GroupUse = { readonly groups: ReadonlySet<string>; readonly complete: boolean }

const listGroupsInUse = async (accountStore: AccountStore): Promise<GroupUse> => {
  const groups = new Set<string>()
  let cursor: string | undefined
  for (let searched = 0; searched < accountsSearchedMax; searched += pageSize) {
    const page = await accountStore.listAccounts(cursor === undefined ? { limit: pageSize } : { limit: pageSize, cursor })
    for (const account of page.accounts) for (const group of account.groups) groups.add(group)
    cursor = page.nextCursor
    if (cursor === undefined) return { groups, complete: true }
  }
  return { groups, complete: false }
}

const describeGroup = ({ name, permissions, inherits, description }: GroupView): string => {
  const parts = [
    permissions.length === 0 ? 'no permissions of its own' : permissions.join(', '),
    ...(inherits.length === 0 ? [] : [`inherits ${inherits.join(', ')}`]),
    ...(description === undefined ? [] : [description]),
  ]
  return `${name}: ${parts.join('; ')}`
}

/** `/rbac:listgroups`: lists the active groups, and missing groups that accounts refer to. */
export const rbacListGroups: Command = {
  ...knownCommand('rbac:listgroups'),
  description: 'Lists the groups, their permissions and what they inherit.',
  forms: [[]],
  run: async ({ permissions, accountStore }) => {
    const groups = permissions.listGroups()
    const defaultGroups = permissions.defaultGroups()
    const known = new Set(permissions.groupNames())
    const inUse = await listGroupsInUse(accountStore)
    const unknownGroups = [...new Set([...defaultGroups, ...inUse.groups])].filter((name) => !known.has(name)).sort()
    const unknown = `Groups that do not exist but are used by accounts or as a default: ${unknownGroups.join(', ')}`
    const lines = [
      ...groups.map(describeGroup),
      `New accounts get: ${defaultGroups.join(', ') || 'no group'}`,
      ...(unknownGroups.length === 0 ? [] : [unknown]),
      ...(inUse.complete ? [] : [`Only the first ${accountsSearchedMax} accounts were searched.`]),
    ]
    return { ok: true, text: lines.join('\n'), data: { groups, defaultGroups, unknownGroups } }
  },
}
