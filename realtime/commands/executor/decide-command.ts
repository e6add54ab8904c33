import type { Actor } from '../../../shared/domain/accounts/actor.ts'
import { findExplainLink } from '../../../shared/domain/explain/explanation.ts'
import { countsAsVerified, decidePermission } from '../../../shared/domain/permissions/decide-permission.ts'
import { canBeSwitchedOff } from '../../../shared/domain/permissions/known-commands.ts'
import { newPasswordHint } from '../../../shared/domain/permissions/limited-sign-in.ts'
import type { RuleSet } from '../../../shared/domain/permissions/rules.ts'
import type { ActiveSanctions } from '../../../shared/domain/sanctions/active/follow-sanctions.ts'
import { describeEnd } from '../../../shared/domain/sanctions/banned-error.ts'
import { findNearName } from '../../../shared/kernel/find-near-name.ts'
import type { Command, CommandCaller, CommandReply } from '../command.ts'

/** The check that refused a command, in `data.code` of the reply. The codes are stable. */
export const refusalCodes = [
  ...(['unknown-command', 'command-disabled', 'missing-permission', 'password-sign-in-needed'] as const),
  ...(['muted', 'bad-arguments', 'refused', 'failed'] as const),
]
type RefusalCode = (typeof refusalCodes)[number]

/** A refusal with its reason in words, and the failed check in `data.code`. */
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

/**
 * Returns undefined if the actor has the permission, otherwise a refusal that names it. `what` is the start of the sentence:
 * `/kick`.
 */
export const findPermissionRefusal = (
  actor: Actor,
  { what, permission, privileged }: { readonly what: string; readonly permission: string; readonly privileged: boolean },
): CommandReply | undefined => {
  const { rules, verified } = actor
  const decision = decidePermission(rules, permission, { verified, privileged })
  if (decision.allowed) return undefined
  if (decision.reason === 'unverified') return refuseUnverified(rules, what, permission)
  if (decision.reason === 'outside-token')
    return createRefusal(
      'missing-permission',
      `${what} needs the permission ${permission}, which this API token does not include.`,
      {
        permission,
      },
    )
  const explain = findExplainLink(actor, permission)
  // Name the permission only for callers who may read permissions.
  const text = explain === undefined ? `You do not have access to ${what}.` : `${what} needs the permission ${permission}.`
  return createRefusal('missing-permission', text, {
    permission,
    ...(explain !== undefined && { explain }),
  })
}

/** Returns undefined if the caller may run the command. A switched-off command is refused before permissions are checked. */
export const findRefusal = (
  command: Command,
  { actor, rulesHere, disabled, isLimited }: CommandCaller,
): CommandReply | undefined => {
  const { name, permission, privileged, inOwnZones, sameAs } = command
  const isDisabled = disabled.has(name) || (sameAs !== undefined && disabled.has(sameAs))
  if (isDisabled && canBeSwitchedOff(name))
    return createRefusal('command-disabled', `/${name} is switched off for you. Use /command:enable to switch it on.`)
  if (isLimited === true && command.changesAccount === true)
    return createRefusal('password-sign-in-needed', `Sign in with your password to use /${name}.`, { permission })
  if (permission === 'none') return undefined
  const rules = rulesHere ?? actor.rules
  const { verified } = actor
  const holds = (candidate: string) => decidePermission(rules, candidate, { verified, privileged: false })
  // An explicit denial also applies in own zones.
  const isLacking = inOwnZones !== undefined && ['not-granted', 'outside-token'].includes(holds(permission).reason)
  if (isLacking && holds(inOwnZones).allowed)
    return privileged && !countsAsVerified({ rules, verified }) ? refuseUnverified(rules, `/${name}`, permission) : undefined
  return findPermissionRefusal({ ...actor, rules }, { what: `/${name}`, permission, privileged })
}

/** The refusal of a command that speaks to others. Returns undefined if the caller is not muted. */
export const findMuteRefusal = (
  { name, speaks }: Command,
  { actor }: CommandCaller,
  activeSanctions: Pick<ActiveSanctions, 'findMute'>,
): CommandReply | undefined => {
  const muted = speaks === true ? activeSanctions.findMute(actor.email) : undefined
  if (muted === undefined) return undefined
  const { reason, until } = muted
  const text = `You cannot use /${name} while you are muted: ${reason} (${describeEnd(muted)}.)`
  return { ...createRefusal('muted', text, { reason, ...(until !== undefined && { until }) }), muted }
}

/** A command, or a message with the most similar command name. */
type FoundCommand =
  | { readonly command: Command; readonly message?: undefined; readonly nearest?: undefined }
  | { readonly command?: undefined; readonly message: string; readonly nearest: string | undefined }

const charactersShown = 64

/** Finds a command by its lower-case name without the slash. */
export const findCommand = (commands: readonly Command[], name: string): FoundCommand => {
  const command = commands.find((candidate) => candidate.name === name || candidate.fullName === name)
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
