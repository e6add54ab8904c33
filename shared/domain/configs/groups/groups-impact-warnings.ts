import { findNearName } from '../../../kernel/find-near-name.ts'
import { builtInAdmin, type GroupsConfig } from '../../permissions/groups-config.ts'
import type { PermissionNames } from '../../permissions/permission-names.ts'
import type { AccountsTouched } from './groups-impact-accounts.ts'
import { listKeptUnknownRules, listUndeclaredRules } from './unknown-permissions.ts'

/** Groups with a warning of their own. */
const namedMax = 20

type Change = {
  readonly stored: GroupsConfig
  readonly next: GroupsConfig
  /** null if the accounts cannot be read. */
  readonly touched: AccountsTouched | null
  /** Names of the groups before the change. */
  readonly existed: ReadonlySet<string>
}

const countAccounts = (count: number): string => (count === 1 ? '1 account is' : `${count} accounts are`)

const warnOfAccounts = (touched: AccountsTouched, existed: ReadonlySet<string>): string[] => {
  const orphaned = [...touched.unknownGroups]
    .filter(([group]) => existed.has(group))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const warnings = orphaned
    .slice(0, namedMax)
    .map(
      ([group, accounts]) =>
        `The group "${group}" would no longer exist. ${countAccounts(accounts)} in it and would lose its permissions.`,
    )
  if (orphaned.length > namedMax)
    warnings.push(`More groups of accounts that would no longer exist: ${orphaned.length - namedMax}.`)
  if (touched.administrators.before > 0 && touched.administrators.after === 0)
    warnings.unshift('No one could administer the server: no account that can sign in verified would have admin.users.write.')
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
      return `New accounts would be in "${name}", which is not a group and gives no permissions.${hint}`
    })
}

/** Warnings about rules of modules that are not loaded, which may be typing errors. */
export const warnOfUndeclared = (next: GroupsConfig, names: PermissionNames): string[] => {
  const rules = listUndeclaredRules(next, names)
  const warnings = rules
    .slice(0, namedMax)
    .map((rule) => `${names.describeUnknown(rule) ?? rule} It has no effect until a module declares it.`)
  return rules.length > namedMax
    ? [...warnings, `More rules below "module." without an effect: ${rules.length - namedMax}.`]
    : warnings
}

/** Warnings about unknown rules that a save does not refuse. */
export const warnOfKeptUnknown = (stored: GroupsConfig, next: GroupsConfig, names: PermissionNames): string[] => {
  const rules = listKeptUnknownRules(next, names, stored)
  const warnings = rules.slice(0, namedMax).map((rule) => `${names.describeUnknown(rule) ?? rule} It has no effect.`)
  return rules.length > namedMax ? [...warnings, `${rules.length - namedMax} more unknown permissions have no effect.`] : warnings
}

/** Likely mistakes in groups, the worst first. */
export const listGroupWarnings = ({ stored, next, touched, existed }: Change): string[] => [
  ...(touched === null
    ? ['The accounts cannot be read at the moment, so the affected accounts are not known.']
    : warnOfAccounts(touched, existed)),
  ...warnOfDefaults(stored, next),
]
