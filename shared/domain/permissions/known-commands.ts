import { zoneHistoryPermission } from './game-permissions.ts'

/** The permission data of a command, also for processes without the commands themselves. */
export type KnownCommand = {
  /** Lower case, without the slash: `rbac:setgroup`. */
  readonly name: string
  readonly permission: 'none' | `${string}.${string}`
  /** Refused to unverified sign-ins. */
  readonly privileged: boolean
  /**
   * The permission that lets owners and members of a zone run the command there. It does not apply if the command's own permission is
   * granted or taken away.
   */
  readonly inOwnZones?: typeof zoneHistoryPermission
  /** The command changes stored data of the account, so a limited sign-in may not use it. */
  readonly changesAccount?: true
  /** Another name of the command. Switching one off switches off both. */
  readonly sameAs?: string
  /** Not for muted players. */
  readonly speaks?: true
}

/** All commands of the server, in the order of help. */
const declared = {
  help: { permission: 'none', privileged: false },
  who: { permission: 'command.who', privileged: false },
  say: { permission: 'command.say', privileged: false, speaks: true },
  msg: { permission: 'none', privileged: false, speaks: true },
  r: { permission: 'none', privileged: false, speaks: true },
  ignore: { permission: 'none', privileged: false, changesAccount: true },
  unignore: { permission: 'none', privileged: false, changesAccount: true },
  announce: { permission: 'command.announce', privileged: true, speaks: true },
  tp: { permission: 'command.tp', privileged: false },
  spawn: { permission: 'none', privileged: false },
  setspawn: { permission: 'command.setspawn', privileged: true },
  world: { permission: 'command.world', privileged: false },
  zones: { permission: 'command.zone.list', privileged: false },
  kick: { permission: 'command.kick', privileged: true },
  warn: { permission: 'command.warn', privileged: true },
  mute: { permission: 'command.mute', privileged: true },
  unmute: { permission: 'command.unmute', privileged: true },
  ban: { permission: 'command.ban', privileged: true },
  unban: { permission: 'command.unban', privileged: true },
  sanctions: { permission: 'command.sanctions', privileged: true },
  report: { permission: 'none', privileged: false, changesAccount: true },
  inspect: { permission: 'command.inspect', privileged: false, inOwnZones: zoneHistoryPermission },
  rollback: { permission: 'command.rollback', privileged: true, inOwnZones: zoneHistoryPermission },
  undo: { permission: 'world.undo', privileged: false, changesAccount: true },
  why: { permission: 'command.why', privileged: true },
  adduser: { permission: 'command.adduser', privileged: true },
  invite: { permission: 'command.invite', privileged: true },
  'rbac:addgroup': { permission: 'command.rbac.setgroup', privileged: true, sameAs: 'rbac:setgroup' },
  'rbac:setgroup': { permission: 'command.rbac.setgroup', privileged: true, sameAs: 'rbac:addgroup' },
  'rbac:removegroup': { permission: 'command.rbac.removegroup', privileged: true },
  'rbac:listgroups': { permission: 'command.rbac.listgroups', privileged: false },
  grant: { permission: 'command.grant', privileged: true },
  ungrant: { permission: 'command.ungrant', privileged: true },
  reload: { permission: 'command.reload', privileged: true },
  'config:reload': { permission: 'command.config.reload', privileged: true },
  modules: { permission: 'command.modules', privileged: false },
  module: { permission: 'command.module', privileged: true },
  save: { permission: 'command.save', privileged: true },
  'zone:enable': { permission: 'command.zone.write', privileged: true },
  'zone:disable': { permission: 'command.zone.write', privileged: true },
  'command:disable': { permission: 'none', privileged: false, changesAccount: true },
  'command:enable': { permission: 'none', privileged: false, changesAccount: true },
} as const satisfies Readonly<Record<string, Omit<KnownCommand, 'name'>>>

type CommandName = keyof typeof declared

/** What a command declares besides its own code. */
export const knownCommand = (name: CommandName): KnownCommand => ({ name, ...declared[name] })

export const knownCommands: readonly KnownCommand[] = Object.entries(declared).map(([name, data]) => ({ name, ...data }))

/** Commands that cannot be switched off: without them there is no way back. */
const alwaysOn: ReadonlySet<string> = new Set(['help', 'command:enable'])

/** Whether a command may be switched off at all. */
export const canBeSwitchedOff = (name: string): boolean => !alwaysOn.has(name)
