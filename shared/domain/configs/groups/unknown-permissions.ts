import type { Fault } from '../../../kernel/errors.ts'
import type { GroupsConfig } from '../../permissions/groups-config.ts'
import { isNeedless, isOfModule, type PermissionNames } from '../../permissions/permission-names.ts'

/** More than a report lists. */
const faultsMax = 100

function* listUnknownRules({ groups }: GroupsConfig, names: PermissionNames) {
  for (const [index, { permissions }] of groups.entries())
    for (const [position, rule] of permissions.entries())
      if (!names.isKnown(rule)) yield { rule, pointer: `/groups/${index}/permissions/${position}` }
}

/**
 * A fault for each rule with an unknown permission, at most 100. Skips names below `module.`, because a group may be prepared before its
 * module is loaded. Also skips rules about commands for everyone, and rules of `before`. An upgrade may have removed their permissions,
 * and other changes must still be possible.
 */
export const findUnknownPermissions = (config: GroupsConfig, names: PermissionNames, before?: GroupsConfig): readonly Fault[] => {
  const known = new Set(before?.groups.flatMap(({ permissions }) => permissions))
  const faults: Fault[] = []
  for (const { rule, pointer } of listUnknownRules(config, names)) {
    if (isOfModule(rule) || isNeedless(rule) || known.has(rule)) continue
    faults.push({ pointer, message: names.describeUnknown(rule) ?? rule })
    if (faults.length === faultsMax) break
  }
  return faults
}

/** The unknown rules that a save keeps, without effect and without duplicates: those in `before`, and those about commands for everyone. */
export const listKeptUnknownRules = (config: GroupsConfig, names: PermissionNames, before: GroupsConfig): readonly string[] => {
  const known = new Set(before.groups.flatMap(({ permissions }) => permissions))
  const unknown = Array.from(listUnknownRules(config, names), ({ rule }) => rule).filter(
    (rule) => (known.has(rule) || isNeedless(rule)) && !isOfModule(rule),
  )
  return [...new Set(unknown)]
}

/** The rules below `module.` that no loaded module declares, without duplicates. */
export const listUndeclaredRules = (config: GroupsConfig, names: PermissionNames): readonly string[] => [
  ...new Set(Array.from(listUnknownRules(config, names), ({ rule }) => rule).filter(isOfModule)),
]
