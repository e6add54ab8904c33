import { zoneHistoryPermission } from './game-permissions.ts'

/** The permission data of a command, for processes without the commands themselves. */
export type KnownCommand = {
  readonly name: string
  readonly permission: string
  readonly privileged: boolean
  /**
   * The permission that lets owners and members of a zone run the command there. It does not apply if the command's own permission is
   * granted or taken away.
   */
  readonly inOwnZones?: string
  /** The command changes stored data of the account, so a limited sign-in may not use it. */
  readonly changesAccount?: true
  /** Another name of the command. Switching one off switches off both. */
  readonly sameAs?: string
  /** Not for muted players. */
  readonly speaks?: true
}

/** All commands. A test compares the list with their declarations. */
export const knownCommands: readonly KnownCommand[] = [
  { name: 'help', permission: 'none', privileged: false },
  { name: 'who', permission: 'command.who', privileged: false },
  { name: 'say', permission: 'command.say', privileged: false, speaks: true },
  { name: 'msg', permission: 'none', privileged: false, speaks: true },
  { name: 'r', permission: 'none', privileged: false, speaks: true },
  { name: 'ignore', permission: 'none', privileged: false, changesAccount: true },
  { name: 'unignore', permission: 'none', privileged: false, changesAccount: true },
  { name: 'announce', permission: 'command.announce', privileged: true, speaks: true },
  { name: 'tp', permission: 'command.tp', privileged: false },
  { name: 'spawn', permission: 'none', privileged: false },
  { name: 'setspawn', permission: 'command.setspawn', privileged: true },
  { name: 'world', permission: 'command.world', privileged: false },
  { name: 'zones', permission: 'command.zone.list', privileged: false },
  { name: 'kick', permission: 'command.kick', privileged: true },
  { name: 'warn', permission: 'command.warn', privileged: true },
  { name: 'mute', permission: 'command.mute', privileged: true },
  { name: 'unmute', permission: 'command.unmute', privileged: true },
  { name: 'ban', permission: 'command.ban', privileged: true },
  { name: 'unban', permission: 'command.unban', privileged: true },
  { name: 'sanctions', permission: 'command.sanctions', privileged: true },
  { name: 'report', permission: 'none', privileged: false, changesAccount: true },
  { name: 'inspect', permission: 'command.inspect', privileged: false, inOwnZones: zoneHistoryPermission },
  { name: 'rollback', permission: 'command.rollback', privileged: true, inOwnZones: zoneHistoryPermission },
  { name: 'undo', permission: 'world.undo', privileged: false, changesAccount: true },
  { name: 'why', permission: 'command.why', privileged: true },
  { name: 'adduser', permission: 'command.adduser', privileged: true },
  { name: 'invite', permission: 'command.invite', privileged: true },
  { name: 'rbac:addgroup', permission: 'command.rbac.setgroup', privileged: true, sameAs: 'rbac:setgroup' },
  { name: 'rbac:setgroup', permission: 'command.rbac.setgroup', privileged: true, sameAs: 'rbac:addgroup' },
  { name: 'rbac:removegroup', permission: 'command.rbac.removegroup', privileged: true },
  { name: 'rbac:listgroups', permission: 'command.rbac.listgroups', privileged: false },
  { name: 'grant', permission: 'command.grant', privileged: true },
  { name: 'ungrant', permission: 'command.ungrant', privileged: true },
  { name: 'reload', permission: 'command.reload', privileged: true },
  { name: 'config:reload', permission: 'command.config.reload', privileged: true },
  { name: 'modules', permission: 'command.modules', privileged: false },
  { name: 'module', permission: 'command.module', privileged: true },
  { name: 'save', permission: 'command.save', privileged: true },
  { name: 'zone:enable', permission: 'command.zone.write', privileged: true },
  { name: 'zone:disable', permission: 'command.zone.write', privileged: true },
  { name: 'command:disable', permission: 'none', privileged: false, changesAccount: true },
  { name: 'command:enable', permission: 'none', privileged: false, changesAccount: true },
]

/** Commands that cannot be switched off: without them there is no way back. */
const alwaysOn: ReadonlySet<string> = new Set(['help', 'command:enable'])

/** Whether a command may be switched off at all. */
export const canBeSwitchedOff = (name: string): boolean => !alwaysOn.has(name)
