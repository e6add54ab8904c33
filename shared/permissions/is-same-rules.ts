import type { RuleSet } from './rules.ts'

const isSameKeys = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean => {
  if (one.size !== other.size) return false
  for (const key of one.keys()) if (!other.has(key)) return false
  return true
}

/** Whether both grant and take away by the same rules, in whatever order and from whichever groups. Takes time proportional to their number. */
export const isSameRules = (one: RuleSet, other: RuleSet): boolean =>
  one === other ||
  (isSameKeys(one.exact, other.exact) &&
    isSameKeys(one.takenExact, other.takenExact) &&
    isSameKeys(one.wildcards, other.wildcards) &&
    isSameKeys(one.takenWildcards, other.takenWildcards))
