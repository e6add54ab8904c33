import type { Actor } from '../../../shared/accounts/actor.ts'
import { decidePermission } from '../../../shared/permissions/decide-permission.ts'
import type { Command, CommandCaller, CommandReply } from '../command.ts'
import { createRefusal } from './refusal.ts'

/** Commands that nobody can switch off: without them there is no way back. */
const alwaysOn: ReadonlySet<string> = new Set(['help', 'command:enable'])

/** Whether a command may be switched off at all. */
export const canBeSwitchedOff = (name: string): boolean => !alwaysOn.has(name)

/** Undefined when the actor holds `permission`; else the refusal, which names it. `what` begins the sentence: `/kick`. */
export const findPermissionRefusal = (
  { rules, verified }: Actor,
  { what, permission, privileged }: { readonly what: string; readonly permission: string; readonly privileged: boolean },
): CommandReply | undefined => {
  const decision = decidePermission(rules, permission, { verified, privileged })
  if (decision.allowed) return undefined
  if (decision.reason === 'unverified')
    return createRefusal('password-sign-in-needed', `${what} needs a sign-in by password or identity provider.`, { permission })
  return createRefusal('missing-permission', `${what} needs the permission ${permission}.`, { permission })
}

/** Undefined when the caller may run the command; else the refusal, switched off before permission. */
export const findRefusal = (command: Command, { actor, disabled }: CommandCaller): CommandReply | undefined => {
  const { name, permission, privileged } = command
  if (disabled.has(name) && canBeSwitchedOff(name))
    return createRefusal('command-disabled', `/${name} is switched off for you; see /help command:enable.`)
  return permission === 'none' ? undefined : findPermissionRefusal(actor, { what: `/${name}`, permission, privileged })
}
