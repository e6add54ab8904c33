import { findNearName } from '../../kernel/find-near-name.ts'
import { isPrivileged } from '../permissions/decide-permission.ts'
import { gamePermissions } from '../permissions/game-permissions.ts'
import { type KnownCommand, knownCommands } from '../permissions/known-commands.ts'

/** The subject of an explanation: a command or a permission. */
export type Question = { readonly command?: KnownCommand; readonly permission: string; readonly privileged: boolean }

const permissionName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/
const slash = /^\//

const isMarked = (permission: string): boolean =>
  [...knownCommands, ...gamePermissions].some((one) => one.permission === permission && one.privileged)

/** The question for a command name, with or without the slash; undefined for an unknown one. */
export const findCommandQuestion = (written: string): Question | undefined => {
  const name = written.toLowerCase().replace(slash, '')
  const command = knownCommands.find((one) => one.name === name)
  return command && { command, permission: command.permission, privileged: command.privileged }
}

/** The closest command name to an unknown one. */
export const findNearCommand = (written: string): string | undefined =>
  findNearName(
    written.toLowerCase().replace(slash, ''),
    knownCommands.map(({ name }) => name),
  )

/** The question for a permission name, even an unused one; undefined if the text cannot be such a name. */
export const findPermissionQuestion = (written: string): Question | undefined => {
  const permission = written.toLowerCase()
  if (!permissionName.test(permission)) return undefined
  return { permission, privileged: isPrivileged(permission) || isMarked(permission) }
}
