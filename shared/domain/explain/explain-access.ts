import type { Store } from '../../platform/storage/store.ts'
import type { Account } from '../accounts/account.ts'
import type { PermissionScope } from '../permissions/account-grant.ts'
import { decidePermission, describeDecision, describeGrantBounds } from '../permissions/decide-permission.ts'
import { canBeSwitchedOff } from '../permissions/known-commands.ts'
import { isLimitedSignIn, zonePlayerIdOf } from '../permissions/limited-sign-in.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { Decision, Rule, RuleSet } from '../permissions/rules.ts'
import { readDisabledCommands } from '../players/player-state.ts'
import type { ActiveSanctions } from '../sanctions/active/follow-sanctions.ts'
import { describeEndInstant } from '../sanctions/banned-error.ts'
import { isOfZone } from '../zones/zone-index.ts'
import { checkZone, type KnownLocation } from './check-zone.ts'
import type { AccessCheck, DecidingRule, Explanation } from './explanation.ts'
import type { Question } from './question.ts'

export type ExplainDeps = {
  readonly permissions: Pick<Permissions, 'rulesFor' | 'rulesOfSignIn' | 'rulesAnywhere' | 'rulesOfZoneGrants'>
  readonly activeSanctions: Pick<ActiveSanctions, 'findBan' | 'findMute'>
  readonly store: Pick<Store, 'get'>
}

type Circumstances = { readonly verified: boolean; readonly at: KnownLocation }

/** `isNeeded`: only a verified sign-in has the permission. */
type VerifiedFacts = { readonly verified: boolean; readonly isNeeded: boolean; readonly needsNewPassword: boolean }

/** The decision by the rules of the sign-in. */
type Decided = { readonly rules: RuleSet; readonly decision: Decision; readonly isLimited: boolean }

/** Checked before the player has a place. */
const joinPermission = 'game.join'

const checkBan = ({ activeSanctions }: ExplainDeps, { email }: Account): AccessCheck => {
  const ban = activeSanctions.findBan(email)
  const detail = ban === undefined ? 'Not banned.' : `Banned: ${ban.reason} (${describeEndInstant(ban)}.)`
  return { check: 'sanction', ok: ban === undefined, detail }
}

const checkMute = ({ activeSanctions }: ExplainDeps, { email }: Account, { command }: Question): AccessCheck => {
  const mute = activeSanctions.findMute(email)
  const detail =
    mute === undefined
      ? 'Neither banned nor muted.'
      : `Muted, so /${command?.name} is not allowed: ${mute.reason} (${describeEndInstant(mute)}.)`
  return { check: 'sanction', ok: mute === undefined, detail }
}

const checkSwitchedOff = async (
  { store }: ExplainDeps,
  { playerId, displayName }: Account,
  { command }: Question,
): Promise<readonly AccessCheck[]> => {
  if (command === undefined) return []
  const disabled = await readDisabledCommands(store, playerId)
  const isOff =
    canBeSwitchedOff(command.name) && [command.name, command.sameAs].some((name) => name !== undefined && disabled.has(name))
  return [
    { check: 'switched-off', ok: !isOff, detail: `/${command.name} is switched ${isOff ? 'off' : 'on'} for ${displayName}.` },
  ]
}

const checkVerified = (
  account: Account,
  { privileged }: Question,
  { verified, isNeeded, needsNewPassword }: VerifiedFacts,
): AccessCheck => {
  const check = 'verified'
  const { passwordHash, subject, displayName } = account
  if (needsNewPassword && (isNeeded || privileged))
    return { check, ok: false, detail: `${displayName} has one of the 10,000 most common passwords and must change it first.` }
  if (isNeeded && !privileged)
    return { check, ok: false, detail: `${displayName} needs a verified sign-in: this one has only the default groups.` }
  if (!privileged) return { check, ok: true, detail: 'Not privileged: any sign-in is enough.' }
  const canVerify = passwordHash !== undefined || subject !== undefined
  const remedy = canVerify ? '' : ` ${displayName} has no password and cannot sign in that way.`
  return {
    check,
    ok: verified,
    detail: `Privileged: needs a sign-in with a password or an identity provider.${remedy}`,
  }
}

const asVerified = { verified: true, privileged: false } as const

/** A grant that gives the permission at another place. */
const describeElsewhere = ({ permissions }: ExplainDeps, account: Account, permission: string): string => {
  const { allowed, rule } = decidePermission(permissions.rulesAnywhere(account), permission, asVerified)
  const grant = allowed ? rule.grant : undefined
  return grant === undefined ? '' : ` A grant gives it only elsewhere:${describeGrantBounds(grant)}.`
}

/** For an unverified sign-in of an account that has a password. */
const describeLimited = ({ displayName, groups }: Account): string =>
  ` Without a verified sign-in, ${displayName} has the default groups instead of ${groups.join(', ') || 'their own'}.`

const checkPermission = (
  deps: ExplainDeps,
  account: Account,
  question: Question,
  { rules, decision, isLimited }: Decided,
): AccessCheck => {
  const { command, permission } = question
  const check = 'permission'
  if (permission === 'none') return { check, ok: true, detail: `/${command?.name} needs no permission.` }
  const ok = decision.allowed || decision.reason === 'unverified'
  const elsewhere = ok || isLimited ? '' : describeElsewhere(deps, account, permission)
  const { unknownGroups } = rules
  const unknown = unknownGroups.length === 0 ? '' : ` These groups do not exist and have no effect: ${unknownGroups.join(', ')}.`
  const limited = isLimited ? describeLimited(account) : ''
  return { check, ok, detail: `${describeDecision(decision, permission)}${limited}${elsewhere}${unknown}` }
}

/** Owners and members may run some commands in their zones by another permission. An explicit denial still applies. */
const findOwnZoneRight = (
  { command, permission }: Question,
  rules: RuleSet,
  { at: { zone }, verified }: Circumstances,
  account: Account,
): AccessCheck | undefined => {
  const { displayName } = account
  const asked = command?.inOwnZones
  if (asked === undefined || zone === undefined || !isOfZone(zone, zonePlayerIdOf(account, verified))) return undefined
  const holds = (name: string) => decidePermission(rules, name, { verified, privileged: false })
  if (holds(permission).reason !== 'not-granted' || !holds(asked).allowed) return undefined
  const detail = `${displayName} belongs to zone "${zone.name}" and has ${asked}, so /${command?.name} works inside the zone.`
  return { check: 'permission', ok: true, detail }
}

const showRule = ({ pattern, takesAway, group, path, grant }: Rule): DecidingRule => ({
  rule: `${takesAway ? '-' : ''}${pattern}`,
  group,
  through: path.slice(0, -1),
  source: grant !== undefined ? 'grant' : group === 'admin' ? 'built-in' : 'groups.yaml',
})

/**
 * Whether an account may do something now, by all checks in the order in which the server makes them. `/why` and the explain route return
 * it. Reads the player's switched-off commands, and decides with the same functions as the checks themselves.
 */
export const explainAccess = async (
  deps: ExplainDeps,
  account: Account,
  question: Question,
  circumstances: Circumstances,
): Promise<Explanation> => {
  const { permission, privileged, command } = question
  const { verified, at } = circumstances
  const place: PermissionScope = {
    ...(at.world !== undefined && { world: at.world }),
    ...(at.zone !== undefined && { zone: at.zone.id }),
  }
  const isLimited = isLimitedSignIn(account, verified)
  const rules = deps.permissions.rulesOfSignIn(
    account,
    { verified, scope: undefined },
    permission === joinPermission ? undefined : place,
  )
  const decision = decidePermission(rules, permission, { verified, privileged })
  const inOwnZone = findOwnZoneRight(question, rules, circumstances, account)
  const ban = checkBan(deps, account)
  const isNeeded =
    (isLimited && command?.changesAccount === true) ||
    (inOwnZone === undefined && permission !== 'none' && decision.reason === 'unverified')
  // A ban is checked at sign-in. A mute is checked last, once it is clear that the command sends chat.
  const isMuteAsked = ban.ok && command?.speaks === true
  const checks = [
    ...(isMuteAsked ? [] : [ban]),
    ...(await checkSwitchedOff(deps, account, question)),
    inOwnZone ?? checkPermission(deps, account, question, { rules, decision, isLimited }),
    checkVerified(account, question, { verified, isNeeded, needsNewPassword: rules.needsNewPassword === true }),
    ...(isMuteAsked ? [checkMute(deps, account, question)] : []),
    ...checkZone({
      rules,
      permission,
      at,
      displayName: account.displayName,
      playerId: zonePlayerIdOf(account, verified),
      zoneGrants: isLimited ? deps.permissions.rulesFor([]) : deps.permissions.rulesOfZoneGrants(account, place),
    }),
  ]
  const rule = permission === 'none' ? undefined : decision.rule
  return { allowed: checks.every(({ ok }) => ok), permission, checks, ...(rule && { rule: showRule(rule) }) }
}
