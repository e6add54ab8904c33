import { findNearName } from '../../../kernel/find-near-name.ts'
import { builtInAdmin } from '../../permissions/built-in-admin.ts'
import type { GroupsConfig } from '../../permissions/groups-config.ts'
import type { PermissionNames } from '../../permissions/permission-names.ts'
import type { AccountsTouched } from './groups-impact-accounts.ts'
import { listKeptUnknownRules, listUndeclaredRules } from './unknown-permissions.ts'

/** Groups that are named one by one. */
const namedMax = 20

type Change = {
  readonly stored: GroupsConfig
  readonly next: GroupsConfig
  /** null: the accounts cannot be read. */
  readonly touched: AccountsTouched | null
  /** Names of the groups there are before the change. */
  readonly existed: ReadonlySet<string>
}

const countAccounts = (count: number): string => (count === 1 ? '1 account names' : `${count} accounts name`)

const warnOfAccounts = (touched: AccountsTouched, existed: ReadonlySet<string>): string[] => {
  const orphaned = [...touched.unknownGroups]
    .filter(([group]) => existed.has(group))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const warnings = orphaned
    .slice(0, namedMax)
    .map(
      ([group, accounts]) =>
        `The group "${group}" would be gone, which ${countAccounts(accounts)}: they keep its name, and nothing of it.`,
    )
  if (orphaned.length > namedMax) warnings.push(`So would ${orphaned.length - namedMax} more groups that accounts name.`)
  if (touched.administrators.before > 0 && touched.administrators.after === 0)
    warnings.unshift('Nobody could administer any more: no account that can sign in verified would hold admin.users.write.')
  return warnings
}

const warnOfDefaults = (stored: GroupsConfig, next: GroupsConfig): string[] => {
  const existing = new Set([builtInAdmin.name, ...next.groups.map(({ name }) => name)])
  const isNews = (name: string) => !stored.defaultGroups.includes(name) || stored.groups.some((group) => group.name === name)
  return next.defaultGroups
    .filter((name) => !existing.has(name) && isNews(name))
    .slice(0, namedMax)
    .map((name) => {
      const nearest = findNearName(name, [...existing])
      const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
      return `New accounts would be in "${name}", which is not a group: they get nothing by it.${hint}`
    })
}

/** The rules that wait for a module, so that a slip of the pen in one is not silent. */
export const warnOfUndeclared = (next: GroupsConfig, names: PermissionNames): string[] => {
  const rules = listUndeclaredRules(next, names)
  const warnings = rules
    .slice(0, namedMax)
    .map((rule) => `${names.describeUnknown(rule) ?? rule} It has no effect until a module declares it.`)
  return rules.length > namedMax ? [...warnings, `So do ${rules.length - namedMax} more rules below "module."`] : warnings
}

/** Unknown rules that the file had before, which a save does not refuse. */
export const warnOfKeptUnknown = (stored: GroupsConfig, next: GroupsConfig, names: PermissionNames): string[] => {
  const rules = listKeptUnknownRules(next, names, stored)
  const warnings = rules.slice(0, namedMax).map((rule) => `${names.describeUnknown(rule) ?? rule} It has no effect.`)
  return rules.length > namedMax ? [...warnings, `So do ${rules.length - namedMax} more unknown permissions.`] : warnings
}

/** What is likely not meant about groups, the worst first. */
export const listGroupWarnings = ({ stored, next, touched, existed }: Change): string[] => [
  ...(touched === null
    ? ['The accounts cannot be read now, so that it is not known whom this touches.']
    : warnOfAccounts(touched, existed)),
  ...warnOfDefaults(stored, next),
]
