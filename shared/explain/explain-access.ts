import type { Account } from '../accounts/account.ts'
import type { Place } from '../permissions/account-grant.ts'
import { decidePermission, describeDecision, describeGrantBounds } from '../permissions/decide-permission.ts'
import { canBeSwitchedOff } from '../permissions/known-commands.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { Rule, RuleSet } from '../permissions/rules.ts'
import { readDisabledCommands } from '../players/player-state.ts'
import { describeEnd } from '../sanctions/banned-error.ts'
import type { SanctionsInForce } from '../sanctions/in-force/sanctions-in-force.ts'
import type { Store } from '../storage/store.ts'
import { isOfZone } from '../zones/zone-in-force.ts'
import { checkZone, type KnownPlace } from './check-zone.ts'
import type { AccessCheck, DecidingRule, Explanation } from './explanation.ts'
import type { Question } from './parse-question.ts'

export type ExplainDeps = {
  readonly permissions: Pick<Permissions, 'rulesOf' | 'rulesAnywhere' | 'rulesOfZoneGrants'>
  readonly sanctionsInForce: Pick<SanctionsInForce, 'findBan' | 'findMute'>
  readonly store: Pick<Store, 'get'>
}

type Circumstances = { readonly verified: boolean; readonly at: KnownPlace }

/** Coming in asks for it before there is a place. */
const joinPermission = 'game.join'

const checkSanction = ({ sanctionsInForce }: ExplainDeps, { email }: Account, { command }: Question): AccessCheck => {
  const check = 'sanction'
  const ban = sanctionsInForce.findBan(email)
  if (ban !== undefined) return { check, ok: false, detail: `Banned: ${ban.reason} (${describeEnd(ban)}.)` }
  const mute = command?.speaks === true ? sanctionsInForce.findMute(email) : undefined
  if (mute !== undefined)
    return { check, ok: false, detail: `Muted, and /${command?.name} speaks: ${mute.reason} (${describeEnd(mute)}.)` }
  return { check, ok: true, detail: command?.speaks === true ? 'Neither banned nor muted.' : 'Not banned.' }
}

const checkSwitchedOff = async (
  { store }: ExplainDeps,
  { playerId, displayName }: Account,
  { command }: Question,
): Promise<readonly AccessCheck[]> => {
  if (command === undefined) return []
  const isOff = canBeSwitchedOff(command.name) && (await readDisabledCommands(store, playerId)).has(command.name)
  return [
    { check: 'switched-off', ok: !isOff, detail: `/${command.name} is switched ${isOff ? 'off' : 'on'} for ${displayName}.` },
  ]
}

const checkVerified = (
  { passwordHash, subject, displayName }: Account,
  { privileged }: Question,
  verified: boolean,
): AccessCheck => {
  const check = 'verified'
  if (!privileged) return { check, ok: true, detail: 'It is not privileged: any sign-in will do.' }
  const canVerify = passwordHash !== undefined || subject !== undefined
  const remedy = canVerify ? '' : ` ${displayName} has no password, so cannot sign in so.`
  return {
    check,
    ok: verified,
    detail: `It is privileged: it counts only after a sign-in by password or identity provider.${remedy}`,
  }
}

const asVerified = { verified: true, privileged: false } as const

/** A grant that would give it at another place. */
const describeElsewhere = ({ permissions }: ExplainDeps, account: Account, permission: string): string => {
  const { allowed, rule } = decidePermission(permissions.rulesAnywhere(account), permission, asVerified)
  const grant = allowed ? rule.grant : undefined
  return grant === undefined ? '' : ` A grant gives it${describeGrantBounds(grant)}: only there.`
}

const checkPermission = (deps: ExplainDeps, account: Account, question: Question, rules: RuleSet): AccessCheck => {
  const { command, permission } = question
  const check = 'permission'
  if (permission === 'none') return { check, ok: true, detail: `/${command?.name} needs no permission.` }
  const decision = decidePermission(rules, permission, asVerified)
  const elsewhere = decision.allowed ? '' : describeElsewhere(deps, account, permission)
  const { unknownGroups } = rules
  const unknown = unknownGroups.length === 0 ? '' : ` These groups do not exist and have no effect: ${unknownGroups.join(', ')}.`
  return { check, ok: decision.allowed, detail: `${describeDecision(decision, permission)}${elsewhere}${unknown}` }
}

/** In a zone of theirs, owners and members may run some commands by another permission; what was taken from them stays taken. */
const findOwnZoneRight = (
  { command, permission }: Question,
  rules: RuleSet,
  { zone }: KnownPlace,
  { playerId, displayName }: Account,
): AccessCheck | undefined => {
  const asked = command?.inOwnZones
  if (asked === undefined || zone === undefined || !isOfZone(zone, playerId)) return undefined
  const holds = (name: string) => decidePermission(rules, name, asVerified)
  if (holds(permission).reason !== 'not-granted' || !holds(asked).allowed) return undefined
  const detail = `${displayName} is of zone "${zone.name}" and holds ${asked}: /${command?.name} works inside of it.`
  return { check: 'permission', ok: true, detail }
}

const showRule = ({ pattern, takesAway, group, path, grant }: Rule): DecidingRule => ({
  rule: `${takesAway ? '-' : ''}${pattern}`,
  group,
  through: path.slice(0, -1),
  source: grant !== undefined ? 'grant' : group === 'admin' ? 'built-in' : 'groups.yaml',
})

/**
 * Whether an account may do something now, by all checks in the order in which the server asks them: what `/why` and the route of that
 * name answer. Reads the switched-off commands of a player, and decides by the same functions as the checks themselves.
 */
export const explainAccess = async (
  deps: ExplainDeps,
  account: Account,
  question: Question,
  { verified, at }: Circumstances,
): Promise<Explanation> => {
  const { permission } = question
  const place: Place = {
    ...(at.world !== undefined && { world: at.world }),
    ...(at.zone !== undefined && { zone: at.zone.id }),
  }
  const rules = deps.permissions.rulesOf(account, permission === joinPermission ? undefined : place)
  const inOwnZone = findOwnZoneRight(question, rules, at, account)
  const checks = [
    checkSanction(deps, account, question),
    ...(await checkSwitchedOff(deps, account, question)),
    checkVerified(account, inOwnZone === undefined ? question : { ...question, privileged: false }, verified),
    inOwnZone ?? checkPermission(deps, account, question, rules),
    ...checkZone({
      ...{ rules, permission, at, displayName: account.displayName, playerId: account.playerId },
      zoneGrants: deps.permissions.rulesOfZoneGrants(account, place),
    }),
  ]
  const rule = permission === 'none' ? undefined : decidePermission(rules, permission, asVerified).rule
  return { allowed: checks.every(({ ok }) => ok), permission, checks, ...(rule && { rule: showRule(rule) }) }
}
