import type { Turns } from '../../../kernel/turns.ts'
import { compareRules, type PermissionShift } from '../../permissions/covers-rules.ts'
import { builtInAdmin, type GroupsConfig } from '../../permissions/groups-config.ts'
import type { PermissionNames } from '../../permissions/permission-names.ts'
import { createPermissions } from '../../permissions/permissions.ts'
import type { Presence } from '../../presence/presence.ts'
import type { ConfigImpact, GroupsImpact } from '../compare/config-impact-schema.ts'
import { orUnknown } from '../compare/config-impact-unknown.ts'
import { type AccountsImpactDeps, findTouchedAccounts, type GroupStates } from './groups-impact-accounts.ts'
import { listGroupWarnings, warnOfKeptUnknown, warnOfUndeclared } from './groups-impact-warnings.ts'

const groupsMax = 200
const namesMax = 200
const unknownMax = 100

type Shift = GroupsImpact['newAccounts']

const limitShift = ({ gains, loses }: PermissionShift): Shift => {
  const omitted = Math.max(0, gains.length - namesMax) + Math.max(0, loses.length - namesMax)
  return { gains: gains.slice(0, namesMax), loses: loses.slice(0, namesMax), ...(omitted > 0 && { omitted }) }
}

const describeGroups = async (
  { before, after }: GroupStates,
  turns: Turns,
): Promise<Pick<GroupsImpact, 'groups' | 'groupsOmitted'>> => {
  const groups: GroupsImpact['groups'] = []
  let omitted = 0
  for (const group of new Set([...after.groupNames(), ...before.groupNames()])) {
    if (group === builtInAdmin.name) continue
    await turns.next()
    const shift = compareRules(before.rulesFor([group]), after.rulesFor([group]))
    if (shift.gains.length + shift.loses.length === 0) continue
    if (groups.length < groupsMax) groups.push({ group, ...limitShift(shift) })
    else omitted += 1
  }
  return { groups, ...(omitted > 0 && { groupsOmitted: omitted }) }
}

/** The effects of `groups.yaml` on each group, on new accounts, and on every account by all its groups together. */
export const describeGroupsImpact = async (
  deps: AccountsImpactDeps & {
    readonly presence: Pick<Presence, 'listConnected'>
    readonly permissionNames: PermissionNames
  },
  stored: GroupsConfig,
  next: GroupsConfig,
): Promise<ConfigImpact> => {
  const rules = next.groups.flatMap(({ permissions }) => permissions)
  await orUnknown(() => deps.permissionNames.refresh(rules))
  const states = { before: createPermissions(stored), after: createPermissions(next) }
  const connectedIds = await orUnknown(() => deps.presence.listConnected())
  const touched = await orUnknown(() => findTouchedAccounts(deps, states, connectedIds ?? new Set()))
  const connected = connectedIds === null ? null : (touched?.connected ?? null)
  const unknownGroups = [...(touched?.unknownGroups ?? [])].map(([group, accounts]) => ({ group, accounts }))
  return {
    connected,
    warnings: [
      ...listGroupWarnings({ stored, next, touched, existed: new Set(states.before.groupNames()) }),
      ...warnOfUndeclared(next, deps.permissionNames),
      ...warnOfKeptUnknown(stored, next, deps.permissionNames),
    ],
    groups: {
      ...(await describeGroups(states, deps.turns)),
      newAccounts: limitShift(
        compareRules(states.before.rulesFor(stored.defaultGroups), states.after.rulesFor(next.defaultGroups)),
      ),
      accounts: touched && {
        count: touched.count,
        connected,
        listed: touched.listed.map(({ email, ...shift }) => ({ email, ...limitShift(shift) })),
      },
      unknownGroups: unknownGroups.sort((one, other) => (one.group < other.group ? -1 : 1)).slice(0, unknownMax),
    },
  }
}
