import { decidePermission } from '../../shared/permissions/decide-permission.ts'
import type { Command, CommandCaller, CommandReply } from './command.ts'
import { createRefusal } from './refusal.ts'

/** Commands that nobody can switch off: without them there is no way back. */
const alwaysOn: ReadonlySet<string> = new Set(['help', 'command:enable'])

/** Whether a command may be switched off at all. */
export const canBeSwitchedOff = (name: string): boolean => !alwaysOn.has(name)

/** Undefined when the caller may run the command; else the refusal, switched off before permission. */
export const findRefusal = (command: Command, { actor, disabled }: CommandCaller): CommandReply | undefined => {
  if (disabled.has(command.name) && canBeSwitchedOff(command.name))
    return createRefusal('command-disabled', `/${command.name} is switched off for you; see /help command:enable.`)
  if (command.permission === 'none') return undefined
  const { permission, privileged } = command
  const decision = decidePermission(actor.rules, permission, { verified: actor.verified, privileged })
  if (decision.allowed) return undefined
  if (decision.reason === 'unverified')
    return createRefusal('password-sign-in-needed', `/${command.name} needs a sign-in by password or identity provider.`, {
      permission,
    })
  return createRefusal('missing-permission', `/${command.name} needs the permission ${permission}.`, { permission })
}
