import { decidePermission } from './decide-permission.ts'
import type { RuleSet } from './rules.ts'

/** No permission has such a part, so below a prefix it stands for every part that no rule names. */
export const unnamedPart = '?'

const asVerified = { verified: true, privileged: false } as const

/** One permission for each region in which the decision by `rules` cannot change: the exact names, and the unnamed rest of each wildcard. */
export function* listProbes(rules: RuleSet): Generator<string> {
  yield* rules.exact.keys()
  yield* rules.takenExact.keys()
  for (const wildcards of [rules.wildcards, rules.takenWildcards])
    for (const prefix of wildcards.keys()) yield prefix === '' ? unnamedPart : `${prefix}.${unnamedPart}`
}

/**
 * Whether the actor holds every permission that `other` grants, those that no code asks for yet included. Exact: taking away
 * counts on both sides. Takes time proportional to the number of rules in both.
 */
export const coversRules = (actor: RuleSet, other: RuleSet): boolean => {
  const isCovered = (permission: string) =>
    !decidePermission(other, permission, asVerified).allowed || decidePermission(actor, permission, asVerified).allowed
  for (const rules of [other, actor]) for (const permission of listProbes(rules)) if (!isCovered(permission)) return false
  return true
}
