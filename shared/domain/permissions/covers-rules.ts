import { decidePermission } from './decide-permission.ts'
import { knownPermissions } from './known-permissions.ts'
import { isSameRules, type RuleSet } from './rules.ts'

/** No permission has this part, so below a prefix it stands for every part without a rule. */
const unnamedPart = '?'

const asVerified = { verified: true, privileged: false } as const

/** One permission for each region with a constant decision: the exact names, and the unnamed rest of each wildcard. */
function* listProbes(rules: RuleSet): Generator<string> {
  yield* rules.exact.keys()
  yield* rules.takenExact.keys()
  for (const wildcards of [rules.wildcards, rules.takenWildcards])
    for (const prefix of wildcards.keys()) yield prefix === '' ? unnamedPart : `${prefix}.${unnamedPart}`
  for (const permission of rules.scope?.exact ?? []) yield permission
  for (const prefix of rules.scope?.prefixes ?? []) yield prefix === '' ? unnamedPart : `${prefix}.${unnamedPart}`
  for (const part of [rules.whenVerified, rules.blanketLimit]) if (part !== undefined) yield* listProbes(part)
}

/**
 * Whether the actor holds every permission of `other`, including ones that no code checks yet. Exact: rules that take away count on
 * both sides. Takes time proportional to the number of rules in both.
 */
export const coversRules = (actor: RuleSet, other: RuleSet): boolean => {
  const isCovered = (permission: string) =>
    !decidePermission(other, permission, asVerified).allowed || decidePermission(actor, permission, asVerified).allowed
  for (const rules of [other, actor]) for (const permission of listProbes(rules)) if (!isCovered(permission)) return false
  return true
}

/** The written form of a probe: the unnamed rest below a prefix is the prefix with a star. */
const asPattern = (probe: string): string =>
  probe === unnamedPart ? '*' : probe.endsWith(`.${unnamedPart}`) ? `${probe.slice(0, -unnamedPart.length)}*` : probe

/**
 * Finds a permission that `before` and `after` decide differently and `actor` lacks; undefined if there is none. Returns a name, or a
 * pattern for the unnamed rest. Takes time proportional to the number of rules in all three.
 */
export const findForeignChange = (actor: RuleSet, before: RuleSet, after: RuleSet): string | undefined => {
  const isForeignChange = (permission: string): boolean =>
    decidePermission(before, permission, asVerified).reason !== decidePermission(after, permission, asVerified).reason &&
    !decidePermission(actor, permission, asVerified).allowed
  for (const rules of [after, before, actor])
    for (const probe of listProbes(rules)) if (isForeignChange(probe)) return asPattern(probe)
  return undefined
}

/** Gained and lost permissions, sorted. A name with a star stands for everything below it that is not named here. */
export type PermissionShift = { readonly gains: readonly string[]; readonly loses: readonly string[] }

/**
 * The permissions that `after` has and `before` lacks, and the other way round. Considers all permissions that the server checks or a
 * rule names. Takes time proportional to their number.
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

/**
 * Whether both rule sets allow the same. Without a verified sign-in nothing privileged counts.
 * The list of privileged commands is not available here, so all `command.` permissions count as privileged. Compare the lists of
 * commands as well.
 */
export const allowsSame = (one: RuleSet, other: RuleSet, verified: boolean): boolean => {
  if (isSameRules(one, other)) return true
  const isAllowed = (rules: RuleSet, permission: string) =>
    decidePermission(rules, permission, { verified, privileged: permission.startsWith('command.') }).allowed
  for (const rules of [one, other])
    for (const permission of listProbes(rules)) if (isAllowed(one, permission) !== isAllowed(other, permission)) return false
  return true
}
