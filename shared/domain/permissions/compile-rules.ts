import type { AccountGrant } from './account-grant.ts'
import { builtInAdmin, type GroupDefinition } from './built-in-admin.ts'
import type { Rule, RuleSet } from './rules.ts'

type Visit = { readonly name: string; readonly path: readonly string[]; readonly grant?: AccountGrant }

const builtIn: Pick<GroupDefinition, 'permissions' | 'inherits'> = { permissions: [...builtInAdmin.permissions] }

const parseRule = (written: string, { name, path, grant }: Visit): Rule => {
  const takesAway = written.startsWith('-')
  return { pattern: takesAway ? written.slice(1) : written, takesAway, group: name, path, ...(grant && { grant }) }
}

/** Old names of permissions that were split. Each stands for all of its parts. */
const splitPermissions: ReadonlyMap<string, readonly string[]> = new Map([
  ['admin.players.write', ['admin.players.kick', 'admin.players.message', 'admin.players.teleport']],
])

type Definitions = ReadonlyMap<string, GroupDefinition>

/** Collects rules breadth first, each group once. So the nearest group with a rule is the one named, and cycles end. */
const collectFrom = (definitions: Definitions, queue: Visit[], seen: Set<string>): Rule[] => {
  const rules: Rule[] = []
  for (const visit of queue) {
    const group = visit.name === builtInAdmin.name ? builtIn : definitions.get(visit.name)
    if (group === undefined || seen.has(visit.name)) continue
    seen.add(visit.name)
    for (const written of group.permissions) rules.push(parseRule(written, visit))
    for (const name of group.inherits ?? []) if (!seen.has(name)) queue.push({ ...visit, name, path: [...visit.path, name] })
  }
  return rules
}

/** Rules of the account's groups come before those of grants. */
const collectRules = (definitions: Definitions, groups: readonly string[], grants: readonly AccountGrant[]): Rule[] => {
  const seen = new Set<string>()
  const start = (name: string): Visit => ({ name, path: [name] })
  const byGroups = collectFrom(definitions, groups.map(start), seen)
  const visits = grants.flatMap((grant) => (grant.group === undefined ? [] : [{ ...start(grant.group), grant }]))
  const byGrants = collectFrom(definitions, visits, seen)
  const single = grants.flatMap((grant): Rule[] =>
    grant.permission === undefined ? [] : [{ pattern: grant.permission, takesAway: false, group: '', path: [], grant }],
  )
  return [...byGroups, ...byGrants, ...single]
}

/**
 * All rules of `groups` and of `grants` (which must count) after inheritance, indexed for `decidePermission`. Unknown groups have no
 * effect and are listed. The built-in `admin` always exists. Never throws and never loops.
 */
export const compileRules = (
  definitions: Definitions,
  groups: readonly string[],
  grants: readonly AccountGrant[] = [],
): RuleSet => {
  const rules = collectRules(definitions, groups, grants)
  const exact = new Map<string, Rule>()
  const takenExact = new Map<string, Rule>()
  const wildcards = new Map<string, Rule>()
  const takenWildcards = new Map<string, Rule>()
  for (const rule of rules) {
    const { pattern, takesAway } = rule
    const isWildcard = pattern === '*' || pattern.endsWith('.*')
    const key = isWildcard ? pattern.slice(0, -2) : pattern
    const index = isWildcard ? (takesAway ? takenWildcards : wildcards) : takesAway ? takenExact : exact
    for (const one of [key, ...((isWildcard ? undefined : splitPermissions.get(key)) ?? [])])
      if (!index.has(one)) index.set(one, rule)
  }
  const isUnknown = (name: string) => name !== builtInAdmin.name && !definitions.has(name)
  const named = [...groups, ...grants.flatMap(({ group }) => group ?? [])]
  return { rules, unknownGroups: [...new Set(named.filter(isUnknown))], exact, takenExact, wildcards, takenWildcards }
}
