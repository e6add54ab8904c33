import type { Actor } from '../../../shared/domain/accounts/actor.ts'
import { findExplainLink } from '../../../shared/domain/explain/explain-link.ts'
import { countsAsVerified, decidePermission } from '../../../shared/domain/permissions/decide-permission.ts'
import { canBeSwitchedOff } from '../../../shared/domain/permissions/known-commands.ts'
import type { RuleSet } from '../../../shared/domain/permissions/rules.ts'
import { newPasswordHint } from '../../../shared/domain/permissions/unverified-refusal.ts'
import { describeEnd } from '../../../shared/domain/sanctions/banned-error.ts'
import type { SanctionsInForce } from '../../../shared/domain/sanctions/in-force/sanctions-in-force.ts'
import { findNearName } from '../../../shared/kernel/find-near-name.ts'
import type { Command, CommandCaller, CommandReply } from '../command.ts'

/** Which check refused a command; stable, in `data.code` of the reply. */
/** What says no to a command. */
export const refusalCodes = [
  ...(['unknown-command', 'command-disabled', 'missing-permission', 'password-sign-in-needed'] as const),
  ...(['muted', 'bad-arguments', 'refused', 'failed'] as const),
]
type RefusalCode = (typeof refusalCodes)[number]

/** A reply that says no, why in words, and by `data.code` which check it was. */
export const createRefusal = (code: RefusalCode, text: string, details: object = {}): CommandReply => ({
  ok: false,
  text,
  data: { code, ...details },
})

const refuseUnverified = ({ needsNewPassword }: RuleSet, what: string, permission: string): CommandReply =>
  createRefusal(
    'password-sign-in-needed',
    needsNewPassword === true
      ? `${what} is privileged. ${newPasswordHint}`
      : `${what} needs a sign-in by password or identity provider.`,
    { permission },
  )

/** Undefined when the actor holds `permission`; else the refusal, which names it. `what` begins the sentence: `/kick`. */
export const findPermissionRefusal = (
  actor: Actor,
  { what, permission, privileged }: { readonly what: string; readonly permission: string; readonly privileged: boolean },
): CommandReply | undefined => {
  const { rules, verified } = actor
  const decision = decidePermission(rules, permission, { verified, privileged })
  if (decision.allowed) return undefined
  if (decision.reason === 'unverified') return refuseUnverified(rules, what, permission)
  const explain = findExplainLink(actor, permission)
  // The name of a permission says something to those only who may look into rights.
  const text = explain === undefined ? `You do not have access to ${what}.` : `${what} needs the permission ${permission}.`
  return createRefusal('missing-permission', text, {
    permission,
    ...(explain !== undefined && { explain }),
  })
}

/** Undefined when the caller may run the command; else the refusal, switched off before permission. */
export const findRefusal = (
  command: Command,
  { actor, rulesHere, disabled, isLimited }: CommandCaller,
): CommandReply | undefined => {
  const { name, permission, privileged, inOwnZones, sameAs } = command
  const isDisabled = disabled.has(name) || (sameAs !== undefined && disabled.has(sameAs))
  if (isDisabled && canBeSwitchedOff(name))
    return createRefusal('command-disabled', `/${name} is switched off for you; see /help command:enable.`)
  if (isLimited === true && command.changesAccount === true)
    return createRefusal('password-sign-in-needed', `Sign in with your password to use /${name}.`, { permission })
  if (permission === 'none') return undefined
  const rules = rulesHere ?? actor.rules
  const { verified } = actor
  const holds = (asked: string) => decidePermission(rules, asked, { verified, privileged: false })
  // What was taken away stays so.
  const isLacking = inOwnZones !== undefined && holds(permission).reason === 'not-granted'
  if (isLacking && holds(inOwnZones).allowed)
    return privileged && !countsAsVerified({ rules, verified }) ? refuseUnverified(rules, `/${name}`, permission) : undefined
  return findPermissionRefusal({ ...actor, rules }, { what: `/${name}`, permission, privileged })
}

/** The refusal of a command that speaks to others, to one who is muted; undefined for everybody else. */
export const findMuteRefusal = (
  { name, speaks }: Command,
  { actor }: CommandCaller,
  sanctionsInForce: Pick<SanctionsInForce, 'findMute'>,
): CommandReply | undefined => {
  const muted = speaks === true ? sanctionsInForce.findMute(actor.email) : undefined
  if (muted === undefined) return undefined
  const { reason, until } = muted
  const text = `You cannot use /${name} while you are muted: ${reason} (${describeEnd(muted)}.)`
  return { ...createRefusal('muted', text, { reason, ...(until !== undefined && { until }) }), muted }
}

/** A command by its name, or a sentence that there is none, and the name that may have been meant, where one is near. */
type FoundCommand =
  | { readonly command: Command; readonly message?: undefined; readonly nearest?: undefined }
  | { readonly command?: undefined; readonly message: string; readonly nearest: string | undefined }

const charactersShown = 64

/** Looks a command up by its lower-case name without the slash. */
export const findCommand = (commands: readonly Command[], name: string): FoundCommand => {
  const command = commands.find((candidate) => candidate.name === name)
  if (command !== undefined) return { command }
  const characters = [...name]
  const shown = characters.length > charactersShown ? `${characters.slice(0, charactersShown).join('')}…` : name
  const nearest = findNearName(
    shown,
    commands.map((candidate) => candidate.name),
  )
  const hint = nearest === undefined ? '; /help lists yours.' : `; the nearest is /${nearest}.`
  return { message: `There is no command /${shown}${hint}`, nearest }
}
