import type { AccountGrant } from './account-grant.ts'
import { builtInAdmin } from './groups-config.ts'
import { knownPermissions } from './known-permissions.ts'
import type { Decision, Rule, RuleSet } from './rules.ts'
import { isInScope } from './token-scope.ts'

/** The facts about the caller and the request that a decision needs. */
type PermissionCaller = {
  /** Signed in by password or identity provider. */
  readonly verified: boolean
  /** Whether the permission is marked privileged. `admin.` permissions always are. */
  readonly privileged: boolean
}

/** Whether a permission is privileged by its name. */
export const isPrivileged = (permission: string): boolean => permission.startsWith('admin.')

const findWildcard = (wildcards: ReadonlyMap<string, Rule>, permission: string): Rule | undefined => {
  if (wildcards.size === 0) return undefined
  for (let dot = permission.lastIndexOf('.'); dot > 0; dot = permission.lastIndexOf('.', dot - 1)) {
    const rule = wildcards.get(permission.slice(0, dot))
    if (rule !== undefined) return rule
  }
  return wildcards.get('')
}

/** Whether a sign-in counts as verified with these rules. A sign-in with a password that must be replaced does not. */
export const countsAsVerified = ({ rules, verified }: { readonly rules: RuleSet; readonly verified: boolean }): boolean =>
  verified && rules.needsNewPassword !== true

const decideByRules = (rules: RuleSet, permission: string, caller: PermissionCaller): Decision => {
  const takingRule = rules.takenExact.get(permission) ?? findWildcard(rules.takenWildcards, permission)
  if (takingRule !== undefined) return { allowed: false, reason: 'taken-away', rule: takingRule }
  const grantingRule = rules.exact.get(permission) ?? findWildcard(rules.wildcards, permission)
  if (grantingRule === undefined) return { allowed: false, reason: 'not-granted' }
  const { blanketLimit } = rules
  if (blanketLimit !== undefined && grantingRule.pattern === '*' && !decideByRules(blanketLimit, permission, caller).allowed)
    return { allowed: false, reason: 'not-granted' }
  if (!countsAsVerified({ rules, verified: caller.verified }) && (caller.privileged || isPrivileged(permission)))
    return { allowed: false, reason: 'unverified', rule: grantingRule }
  return { allowed: true, reason: 'granted', rule: grantingRule }
}

const decideForSignIn = (rules: RuleSet, permission: string, caller: PermissionCaller): Decision => {
  const decision = decideByRules(rules, permission, caller)
  if (rules.whenVerified === undefined) return decision
  const whenVerified = decideByRules(rules.whenVerified, permission, { verified: true, privileged: caller.privileged })
  if (decision.allowed) return whenVerified.reason === 'taken-away' ? whenVerified : decision
  if (countsAsVerified({ rules, verified: caller.verified }) || !whenVerified.allowed) return decision
  return { allowed: false, reason: 'unverified', rule: whenVerified.rule }
}

/** Whether the scope of an API token includes the permission. True for a sign-in, which has no scope. */
export const isWithinScope = ({ scope }: Pick<RuleSet, 'scope'>, permission: string): boolean =>
  scope === undefined || isInScope(scope, permission)

/**
 * Whether `rules` allow `permission`, with the deciding rule. The most specific rule that takes away decides, otherwise the most specific
 * rule that grants. Rules in `whenVerified` also take away. Unverified sign-ins are refused privileged permissions, and permissions that
 * only a verified sign-in has. An API token is refused permissions outside its scope. Costs two map look-ups for each dotted part.
 */
export const decidePermission = (rules: RuleSet, permission: string, caller: PermissionCaller): Decision => {
  const decision = decideForSignIn(rules, permission, caller)
  if (!decision.allowed || isWithinScope(rules, permission)) return decision
  return { allowed: false, reason: 'outside-token', rule: decision.rule }
}

const administrative = knownPermissions.filter(isPrivileged)

/** Whether a verified sign-in with these rules has any `admin.` permission. */
export const holdsAdministrative = (rules: RuleSet): boolean =>
  administrative.some((permission) => decidePermission(rules, permission, { verified: true, privileged: true }).allowed)

const quote = (name: string) => `"${name}"`

const describeOrigin = ({ group, path }: Rule): string => {
  const named = `${group === builtInAdmin.name ? 'built-in ' : ''}group ${quote(group)}`
  const heirs = path.slice(0, -1)
  const first = heirs[0]
  if (first === undefined) return named
  const between = heirs.slice(1).map(quote)
  return `${named}, inherited by ${quote(first)}${between.length > 0 ? ` through ${between.join(', then ')}` : ''}`
}

/** The place and end of a grant, for people. */
export const describeGrantBounds = ({ world, zone, until, by }: AccountGrant): string => {
  const place = zone !== undefined ? ` in zone ${zone}` : world !== undefined ? ` in world "${world}"` : ''
  return `${place}${until === undefined ? ' without an end' : ` until ${until}`}, given by ${by}`
}

const describeRule = (rule: Rule): string => {
  const { grant, takesAway, pattern } = rule
  const bounds = grant === undefined ? '' : describeGrantBounds(grant)
  if (grant?.permission !== undefined) return `a grant of "${pattern}"${bounds}`
  const written = `the rule "${takesAway ? '-' : ''}${pattern}" of ${describeOrigin(rule)}`
  return grant === undefined ? written : `${written}, by a grant of the group${bounds}`
}

/** One sentence for people: the deciding rule with its group and inheritance, or the missing permission. */
export const describeDecision = (decision: Decision, permission: string): string => {
  const name = quote(permission)
  if (decision.reason === 'not-granted') return `${name} is not granted: no rule of the groups mentions it.`
  const rule = describeRule(decision.rule)
  if (decision.reason === 'taken-away') return `${name} is taken away by ${rule}.`
  if (decision.reason === 'outside-token') return `${name} is granted by ${rule}, but the API token does not include it.`
  if (decision.reason === 'granted') return `${name} is granted by ${rule}.`
  return `${name} is granted by ${rule}, but needs a verified sign-in: one by password, or by an identity provider.`
}
