import { type Clock, systemClock } from '../../kernel/clock.ts'
import { type GrantHolder, isGrantInForce, type PermissionScope } from './account-grant.ts'
import { compileRules, createGrantRules, type GrantRules } from './compile-rules.ts'
import { holdsAdministrative } from './decide-permission.ts'
import { builtInAdmin, type GroupDefinition, type GroupsConfig } from './groups-config.ts'
import { isLimitedSignIn, type SignInHolder } from './limited-sign-in.ts'
import { createPermissionNames, type PermissionNames } from './permission-names.ts'
import type { RuleSet } from './rules.ts'
import { compileScope, type SignInRights, type TokenScope } from './token-scope.ts'

export type GroupView = {
  readonly name: string
  readonly permissions: readonly string[]
  readonly inherits: readonly string[]
  readonly description?: string
  /** The rules after inheritance as written, with `-`, sorted. */
  readonly effective: readonly string[]
}

/** The active groups of this process. They are replaced as a whole when `groups.yaml` is read again. */
export type Permissions = {
  /** The permissions that may be granted. */
  readonly names: PermissionNames
  /** Cached by the list of groups; constant time after the first call. */
  rulesFor(groups: readonly string[]): RuleSet
  /**
   * The current rules of an account with its grants. Grants for a world or a zone count only with such a `place`. Cached by the account
   * object, which must not change.
   */
  rulesOf(account: GrantHolder, place?: PermissionScope): RuleSet
  /**
   * The rules of a sign-in of the account, cached likewise. A limited sign-in has the rules of `defaultGroups`, and in `whenVerified`
   * those of a verified sign-in. Two other sign-ins are restricted as well: an unverified one, and one with a common password for an
   * account with an `admin.` permission. For these, `*` gives only what `defaultGroups` have, and nothing privileged counts.
   */
  rulesOfSignIn(account: SignInHolder, rights: SignInRights, place?: PermissionScope): RuleSet
  /** The groups that count for a sign-in of the account. */
  groupsOfSignIn(account: SignInHolder, verified: boolean): readonly string[]
  /** The rules that grants for exactly the zone of `place` give, without any other rules of the account. */
  rulesOfZoneGrants(account: GrantHolder, place: PermissionScope): RuleSet
  /** The rules with all active grants, at any place. To grant something, an actor must hold what these hold. */
  rulesAnywhere(account: GrantHolder): RuleSet
  /** The time in milliseconds by which grants end. */
  nowMs(): number
  groupNames(): readonly string[]
  /** The groups that may be assigned: existing ones, and the default groups, even without a file. */
  assignableGroups(): readonly string[]
  /** In the file's order, `admin` first. */
  listGroups(): readonly GroupView[]
  /** As `listGroups`, but computed one by one: a thousand large groups take tens of milliseconds. */
  eachGroup(): Iterable<GroupView>
  defaultGroups(): readonly string[]
  /** Unknown groups of the accounts seen so far, sorted. Default groups are not listed, as they need no file. */
  unknownGroups(): readonly string[]
  /** Replaces the groups, then calls the listeners. */
  replace(config: GroupsConfig): void
  onChange(listener: () => void): () => void
}

/** Bounds the caches, because accounts may name any groups. A server has a few dozen. */
const cachedListsMax = 1_000

const indexGroups = (config: GroupsConfig): ReadonlyMap<string, GroupDefinition> =>
  new Map(config.groups.filter(({ name }) => name !== builtInAdmin.name).map((group) => [group.name, group]))

const listEffective = ({ rules }: RuleSet): string[] =>
  [...new Set(rules.map(({ pattern, takesAway }) => (takesAway ? `-${pattern}` : pattern)))].sort()

const viewGroups = function* (definitions: ReadonlyMap<string, GroupDefinition>): Generator<GroupView> {
  yield { ...builtInAdmin, inherits: [], effective: [...builtInAdmin.permissions] }
  for (const group of definitions.values()) {
    const effective = listEffective(compileRules(definitions, [group.name]))
    yield { ...group, inherits: group.inherits ?? [], effective }
  }
}

/** Permissions with the groups of `config`, which must have passed the checks of `groups.yaml`. */
export const createPermissions = (
  config: GroupsConfig,
  clock: Pick<Clock, 'now'> = systemClock,
  names: PermissionNames = createPermissionNames(),
): Permissions => {
  const listeners = new Set<() => void>()
  const compiled = new Map<string, RuleSet>()
  const ofRules = new WeakMap<RuleSet, GrantRules>()
  let ofAccounts = new WeakMap<GrantHolder, GrantRules>()
  let ofZoneGrants = new WeakMap<GrantHolder, GrantRules>()
  /** By the rules of a verified sign-in. */
  let ofLimited = new WeakMap<RuleSet, RuleSet>()
  let ofUnverified = new WeakMap<RuleSet, RuleSet>()
  let ofCommonPasswords = new WeakMap<RuleSet, RuleSet>()
  const ofScopes = new WeakMap<readonly string[], TokenScope>()
  const ofTokens = new WeakMap<RuleSet, WeakMap<TokenScope, RuleSet>>()
  let current = config
  let definitions = indexGroups(config)
  const rulesFor = (groups: readonly string[]): RuleSet => {
    const key = JSON.stringify(groups)
    const cached = compiled.get(key)
    if (cached !== undefined) return cached
    if (compiled.size >= cachedListsMax) compiled.clear()
    const rules = compileRules(definitions, groups)
    compiled.set(key, rules)
    return rules
  }
  /** Shared by all accounts without grants. */
  const withoutGrants = (groups: readonly string[]): GrantRules => {
    const rules = rulesFor(groups)
    const cached = ofRules.get(rules)
    if (cached !== undefined) return cached
    const made = (): RuleSet => rules
    ofRules.set(rules, made)
    return made
  }
  const grantRulesOf = (account: GrantHolder): GrantRules => {
    const cached = ofAccounts.get(account)
    if (cached !== undefined) return cached
    const { groups, grants = [] } = account
    const made =
      grants.length === 0
        ? withoutGrants(groups)
        : createGrantRules(grants, (counting) =>
            counting.length === 0 ? rulesFor(groups) : compileRules(definitions, groups, counting),
          )
    ofAccounts.set(account, made)
    return made
  }
  const zoneGrantRulesOf = (account: GrantHolder): GrantRules => {
    const cached = ofZoneGrants.get(account)
    if (cached !== undefined) return cached
    const grants = account.grants?.filter(({ zone }) => zone !== undefined) ?? []
    const made = createGrantRules(grants, (counting) => compileRules(definitions, [], counting))
    ofZoneGrants.set(account, made)
    return made
  }
  const limit = (whenVerified: RuleSet): RuleSet => {
    const cached = ofLimited.get(whenVerified)
    if (cached !== undefined) return cached
    const limited = { ...rulesFor(current.defaultGroups), whenVerified }
    ofLimited.set(whenVerified, limited)
    return limited
  }
  const limitBlanket = (rules: RuleSet): RuleSet => {
    if (!rules.wildcards.has('')) return rules
    const cached = ofUnverified.get(rules)
    if (cached !== undefined) return cached
    const limited = { ...rules, blanketLimit: rulesFor(current.defaultGroups), whenVerified: rules }
    ofUnverified.set(rules, limited)
    return limited
  }
  const limitCommonPassword = (rules: RuleSet): RuleSet => {
    const cached = ofCommonPasswords.get(rules)
    if (cached !== undefined) return cached
    const limited: RuleSet = holdsAdministrative(rules) ? { ...limitBlanket(rules), needsNewPassword: true } : rules
    ofCommonPasswords.set(rules, limited)
    return limited
  }
  const limitToScope = (rules: RuleSet, permissions: readonly string[]): RuleSet => {
    const scope = ofScopes.get(permissions) ?? compileScope(permissions)
    ofScopes.set(permissions, scope)
    const known = ofTokens.get(rules) ?? new WeakMap<TokenScope, RuleSet>()
    ofTokens.set(rules, known)
    const limited = known.get(scope) ?? { ...rules, scope }
    known.set(scope, limited)
    return limited
  }
  const rulesOf = (account: GrantHolder, place?: PermissionScope): RuleSet => grantRulesOf(account)(clock.now(), place)
  const rulesWithoutScope = (account: SignInHolder, verified: boolean, place?: PermissionScope): RuleSet => {
    const rules = rulesOf(account, place)
    if (verified) return account.passwordKind === 'common' ? limitCommonPassword(rules) : rules
    return isLimitedSignIn(account, verified) ? limit(rules) : limitBlanket(rules)
  }
  return {
    names,
    rulesFor,
    rulesOf,
    rulesOfSignIn: (account, { verified, scope }, place) => {
      const rules = rulesWithoutScope(account, verified, place)
      return scope === undefined ? rules : limitToScope(rules, scope)
    },
    groupsOfSignIn: (account, verified) => (isLimitedSignIn(account, verified) ? current.defaultGroups : account.groups),
    rulesOfZoneGrants: (account, place) => zoneGrantRulesOf(account)(clock.now(), place),
    rulesAnywhere: ({ groups, grants = [] }) => {
      const current = grants.filter((grant) => isGrantInForce(grant, clock.now()))
      return current.length === 0 ? rulesFor(groups) : compileRules(definitions, groups, current)
    },
    nowMs: () => clock.now(),
    groupNames: () => [builtInAdmin.name, ...definitions.keys()],
    assignableGroups: () => [...new Set([builtInAdmin.name, ...definitions.keys(), ...current.defaultGroups])],
    listGroups: () => [...viewGroups(definitions)],
    eachGroup: () => viewGroups(definitions),
    defaultGroups: () => current.defaultGroups,
    unknownGroups: () => {
      const met = [...compiled.values()].flatMap(({ unknownGroups }) => unknownGroups)
      return [...new Set(met)].filter((name) => !current.defaultGroups.includes(name)).sort()
    },
    replace: (next) => {
      current = next
      definitions = indexGroups(next)
      compiled.clear()
      ofAccounts = new WeakMap()
      ofZoneGrants = new WeakMap()
      ofLimited = new WeakMap()
      ofUnverified = new WeakMap()
      ofCommonPasswords = new WeakMap()
      for (const listener of [...listeners]) listener()
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
