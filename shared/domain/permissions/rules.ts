import type { AccountGrant } from './account-grant.ts'
import type { TokenScope } from './token-scope.ts'

/** A rule and its origin: the pattern, the group that states it, and the path of inheritance. */
export type Rule = {
  /** Without the `-`: `world.build`, `admin.instances.*` or `*`. */
  readonly pattern: string
  readonly takesAway: boolean
  /** Empty if a grant gives the permission itself. */
  readonly group: string
  /** From the account's group to `group`, both included. */
  readonly path: readonly string[]
  /** The grant of the first group in `path`, or of the permission itself; absent if the account is in that group. */
  readonly grant?: AccountGrant
}

/** All rules of a set of groups after inheritance, indexed for decisions. Immutable, and shared by accounts with the same groups. */
export type RuleSet = {
  readonly rules: readonly Rule[]
  /** Groups of the account that do not exist and have no effect. */
  readonly unknownGroups: readonly string[]
  readonly exact: ReadonlyMap<string, Rule>
  readonly takenExact: ReadonlyMap<string, Rule>
  /** By the part before `.*`; the empty string stands for `*`. */
  readonly wildcards: ReadonlyMap<string, Rule>
  readonly takenWildcards: ReadonlyMap<string, Rule>
  /**
   * For an unverified sign-in with fewer rights than a verified one: the rules of a verified sign-in of the same account. They allow
   * nothing, but what they take away stays taken away. The rest shows what a verified sign-in would allow.
   */
  readonly whenVerified?: RuleSet
  /** For an unverified sign-in with `*`: the rules of the default groups. `*` allows only what these allow. */
  readonly blanketLimit?: RuleSet
  /** For an administrator with a common password: nothing privileged counts, as in an unverified sign-in. */
  readonly needsNewPassword?: true
  /** Of an API token: these rules allow only what the scope includes as well. */
  readonly scope?: TokenScope
}

/** A decision with its reason. `rule` is the deciding rule; absent if no rule mentions the permission. */
export type Decision =
  | { readonly allowed: true; readonly reason: 'granted'; readonly rule: Rule }
  | {
      readonly allowed: false
      readonly reason: 'taken-away' | 'unverified' | 'outside-token'
      readonly rule: Rule
    }
  | {
      readonly allowed: false
      readonly reason: 'not-granted'
      readonly rule?: undefined
    }

const isSameKeys = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean => {
  if (one.size !== other.size) return false
  for (const key of one.keys()) if (!other.has(key)) return false
  return true
}

const isSameScope = (one: TokenScope | undefined, other: TokenScope | undefined): boolean =>
  one === other ||
  (one !== undefined && other !== undefined && [...one.permissions].sort().join() === [...other.permissions].sort().join())

const isSamePart = (one: RuleSet | undefined, other: RuleSet | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && isSameRules(one, other))

/** Whether both have the same rules, in any order and from any groups. Takes time proportional to their number. */
export const isSameRules = (one: RuleSet, other: RuleSet): boolean =>
  one === other ||
  (one.needsNewPassword === other.needsNewPassword &&
    isSameKeys(one.exact, other.exact) &&
    isSameKeys(one.takenExact, other.takenExact) &&
    isSameKeys(one.wildcards, other.wildcards) &&
    isSameKeys(one.takenWildcards, other.takenWildcards) &&
    isSamePart(one.whenVerified, other.whenVerified) &&
    isSamePart(one.blanketLimit, other.blanketLimit) &&
    isSameScope(one.scope, other.scope))
