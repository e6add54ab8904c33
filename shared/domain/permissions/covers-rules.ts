import { decidePermission } from './decide-permission.ts'
import { knownPermissions } from './known-permissions.ts'
import type { RuleSet } from './rules.ts'

/** No permission has such a part, so below a prefix it stands for every part that no rule names. */
const unnamedPart = '?'

const asVerified = { verified: true, privileged: false } as const

/**
 * One permission for each region in which the decision by `rules` cannot change: the exact names, and the unnamed rest of each
 * wildcard.
 */
export function* listProbes(rules: RuleSet): Generator<string> {
  yield* rules.exact.keys()
  yield* rules.takenExact.keys()
  for (const wildcards of [rules.wildcards, rules.takenWildcards])
    for (const prefix of wildcards.keys()) yield prefix === '' ? unnamedPart : `${prefix}.${unnamedPart}`
  for (const part of [rules.whenVerified, rules.blanketLimit]) if (part !== undefined) yield* listProbes(part)
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

/** A probe as people write it: what no rule names below a prefix is that prefix with a star. */
const asPattern = (probe: string): string =>
  probe === unnamedPart ? '*' : probe.endsWith(`.${unnamedPart}`) ? `${probe.slice(0, -unnamedPart.length)}*` : probe

/**
 * A permission that `actor` lacks and of which `after` says something else than `before`: grants it, takes it away, or says nothing. As
 * a name, or as a pattern for what no rule names; undefined when there is none. Takes time proportional to the number of rules in
 * all three.
 */
export const findForeignChange = (actor: RuleSet, before: RuleSet, after: RuleSet): string | undefined => {
  const isForeignChange = (permission: string): boolean =>
    decidePermission(before, permission, asVerified).reason !== decidePermission(after, permission, asVerified).reason &&
    !decidePermission(actor, permission, asVerified).allowed
  for (const rules of [after, before, actor])
    for (const probe of listProbes(rules)) if (isForeignChange(probe)) return asPattern(probe)
  return undefined
}

/** Permissions that come and go, sorted; a name with a star stands for all below it that has no name here. */
export type PermissionShift = { readonly gains: readonly string[]; readonly loses: readonly string[] }

/**
 * What a holder of `after` may do that one of `before` may not, and the other way round. It is of all permissions that the server
 * asks for or a rule names. Takes time proportional to their number.
 */
export const compareRules = (before: RuleSet, after: RuleSet): PermissionShift => {
  const gains: string[] = []
  const loses: string[] = []
  for (const permission of new Set([...knownPermissions, ...listProbes(before), ...listProbes(after)])) {
    const could = decidePermission(before, permission, asVerified).allowed
    const can = decidePermission(after, permission, asVerified).allowed
    if (could !== can) (can ? gains : loses).push(asPattern(permission))
  }
  return { gains: gains.sort(), loses: loses.sort() }
}
