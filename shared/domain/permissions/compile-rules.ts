import { type AccountGrant, countsAt, endMsOf, isGrantInForce, type PermissionScope } from './account-grant.ts'
import { builtInAdmin, type GroupDefinition } from './groups-config.ts'
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

/** Rules that are valid from `fromMs` until just before `untilMs`. */
type Slot = { readonly rules: RuleSet; readonly fromMs: number; readonly untilMs: number }

/** The rules of one account, including its grants, at any time and place. */
export type GrantRules = (nowMs: number, place: PermissionScope | undefined) => RuleSet

/** Bounds the cached rules of a player who walks through many zones. */
const slotsMax = 64

type Compile = (grants: readonly AccountGrant[]) => RuleSet

/**
 * Compiles rules only when a grant starts or ends to count; otherwise a call costs a look-up. Works with a clock that is set back, too.
 */
export const createGrantRules = (grants: readonly AccountGrant[], compile: Compile): GrantRules => {
  if (grants.length === 0) {
    const rules = compile([])
    return () => rules
  }
  const ends = grants.map(endMsOf)
  const worlds = new Set(grants.flatMap(({ world }) => world ?? []))
  const zones = new Set(grants.flatMap(({ zone }) => zone ?? []))
  const slots = new Map<string, Slot>()

  const keyOf = ({ world = '', zone = '' }: PermissionScope): string => {
    const zoneKey = zones.has(zone) ? zone : ''
    return worlds.has(world) ? `${world}/${zoneKey}` : zoneKey
  }
  const fill = (nowMs: number, place: PermissionScope | undefined): Slot => ({
    rules: compile(grants.filter((grant) => isGrantInForce(grant, nowMs) && countsAt(grant, place))),
    fromMs: Math.max(Number.NEGATIVE_INFINITY, ...ends.filter((end) => end <= nowMs)),
    untilMs: Math.min(...ends.filter((end) => end > nowMs), Number.POSITIVE_INFINITY),
  })
  return (nowMs, place) => {
    const key = place === undefined ? '' : keyOf(place)
    const cached = slots.get(key)
    if (cached !== undefined && nowMs >= cached.fromMs && nowMs < cached.untilMs) return cached.rules
    if (slots.size >= slotsMax) slots.clear()
    const slot = fill(nowMs, place)
    slots.set(key, slot)
    return slot.rules
  }
}
