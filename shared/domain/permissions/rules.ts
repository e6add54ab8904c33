import type { AccountGrant } from './account-grant.ts'

/** Where a rule comes from: the pattern as written (a leading `-` takes away), the group that states it, and the inheritance that led there. */
export type Rule = {
  /** Without the `-`: `world.build`, `admin.instances.*` or `*`. */
  readonly pattern: string
  readonly takesAway: boolean
  /** Empty where a grant gives the permission itself. */
  readonly group: string
  /** From a group of the account to `group`, both included. */
  readonly path: readonly string[]
  /** What gave the account the first group of `path`, or the permission itself; absent where it is in that group. */
  readonly grant?: AccountGrant
}

/** All rules of a set of groups after inheritance, ready to decide with. Immutable, shared between accounts of the same groups. */
export type RuleSet = {
  readonly rules: readonly Rule[]
  /** Groups named by the account that do not exist: without effect. */
  readonly unknownGroups: readonly string[]
  readonly exact: ReadonlyMap<string, Rule>
  readonly takenExact: ReadonlyMap<string, Rule>
  /** By the part before `.*`; the empty string stands for `*`. */
  readonly wildcards: ReadonlyMap<string, Rule>
  readonly takenWildcards: ReadonlyMap<string, Rule>
  /**
   * Of an unverified sign-in that has less than a verified one: the rules of a verified sign-in of the same account. They allow
   * nothing. What they take away stays taken away, and the rest says what a password would open.
   */
  readonly whenVerified?: RuleSet
  /** Of an unverified sign-in that holds `*`: the rules of the default groups. `*` gives no more than these allow. */
  readonly blanketLimit?: RuleSet
  /** Of an account that may administer with a common password: nothing privileged counts, as in an unverified sign-in. */
  readonly needsNewPassword?: true
}

/** An answer with its reason. `rule` is the one that decided; absent when no rule speaks of the permission. */
export type Decision =
  | { readonly allowed: true; readonly reason: 'granted'; readonly rule: Rule }
  | {
      readonly allowed: false
      readonly reason: 'taken-away' | 'unverified'
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

const isSamePart = (one: RuleSet | undefined, other: RuleSet | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && isSameRules(one, other))

/** Whether both grant and take away by the same rules, in any order and from any groups. Takes time proportional to their number. */
export const isSameRules = (one: RuleSet, other: RuleSet): boolean =>
  one === other ||
  (one.needsNewPassword === other.needsNewPassword &&
    isSameKeys(one.exact, other.exact) &&
    isSameKeys(one.takenExact, other.takenExact) &&
    isSameKeys(one.wildcards, other.wildcards) &&
    isSameKeys(one.takenWildcards, other.takenWildcards) &&
    isSamePart(one.whenVerified, other.whenVerified) &&
    isSamePart(one.blanketLimit, other.blanketLimit))
