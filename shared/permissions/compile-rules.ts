import { builtInAdmin, type GroupDefinition } from './built-in-admin.ts'
import type { Rule, RuleSet } from './rules.ts'

type Visit = { readonly name: string; readonly path: readonly string[] }

const builtIn: Pick<GroupDefinition, 'permissions' | 'inherits'> = { permissions: [...builtInAdmin.permissions] }

const parseRule = (written: string, { name, path }: Visit): Rule => {
  const takesAway = written.startsWith('-')
  return { pattern: takesAway ? written.slice(1) : written, takesAway, group: name, path }
}

/** Breadth first, each group once: the nearest statement of a rule is the one named, and a cycle ends by itself. */
const collectRules = (definitions: ReadonlyMap<string, GroupDefinition>, groups: readonly string[]): Rule[] => {
  const rules: Rule[] = []
  const seen = new Set<string>()
  const queue: Visit[] = groups.map((name) => ({ name, path: [name] }))
  for (const visit of queue) {
    const group = visit.name === builtInAdmin.name ? builtIn : definitions.get(visit.name)
    if (group === undefined || seen.has(visit.name)) continue
    seen.add(visit.name)
    for (const written of group.permissions) rules.push(parseRule(written, visit))
    for (const name of group.inherits ?? []) if (!seen.has(name)) queue.push({ name, path: [...visit.path, name] })
  }
  return rules
}

/**
 * All rules of `groups` after inheritance, indexed for `decidePermission`. Groups that do not exist are without effect and
 * listed; the built-in `admin` is there whatever `definitions` say. Never throws and never loops.
 */
export const compileRules = (definitions: ReadonlyMap<string, GroupDefinition>, groups: readonly string[]): RuleSet => {
  const rules = collectRules(definitions, groups)
  const exact = new Map<string, Rule>()
  const takenExact = new Map<string, Rule>()
  const wildcards = new Map<string, Rule>()
  const takenWildcards = new Map<string, Rule>()
  for (const rule of rules) {
    const { pattern, takesAway } = rule
    const isWildcard = pattern === '*' || pattern.endsWith('.*')
    const key = isWildcard ? pattern.slice(0, -2) : pattern
    const index = isWildcard ? (takesAway ? takenWildcards : wildcards) : takesAway ? takenExact : exact
    if (!index.has(key)) index.set(key, rule)
  }
  const isUnknown = (name: string) => name !== builtInAdmin.name && !definitions.has(name)
  return { rules, unknownGroups: [...new Set(groups.filter(isUnknown))], exact, takenExact, wildcards, takenWildcards }
}
