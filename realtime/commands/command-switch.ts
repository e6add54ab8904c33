import { refuseHigher } from '../../shared/domain/accounts/who-may-grant.ts'
import { createAuditEntry } from '../../shared/domain/audit/audit-entry.ts'
import { canBeSwitchedOff, knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import {
  changeDisabledCommands,
  type DisabledCommandsChange,
  hasSameCommands,
} from '../../shared/domain/players/disabled-commands.ts'
import { listDisabled, type PlayerState } from '../../shared/domain/players/player-state.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Argument, ArgumentValues, Command, CommandCaller, CommandContext, CommandReply } from './command.ts'
import { createRefusal, findCommand, findPermissionRefusal } from './executor/decide-command.ts'
import { getNamedAccount } from './executor/find-player.ts'
import { findText, getText } from './executor/read-arguments.ts'

/** The player whose commands are switched. */
type SwitchTarget = {
  readonly playerId: string
  readonly email: string
  readonly displayName: string
  readonly isSelf: boolean
}

/** The caller's own player. Throws `invalid` for callers without one. */
const getSelf = ({ actor, playerId }: CommandCaller): SwitchTarget => {
  if (playerId === undefined)
    throw new AppError('invalid', 'bad-request', 'Name a player: you have no commands of your own to switch.')
  return { ...actor, playerId, isSelf: true }
}

/** Returns undefined if the caller may switch commands of other players. */
const refuseOthers = ({ actor }: CommandCaller): CommandReply | undefined =>
  findPermissionRefusal(actor, {
    what: '/command:disable for other players',
    permission: 'command.disable.others',
    privileged: true,
  })

/** The account with that name, which may be the caller's. Throws `forbidden` if it has a permission that the caller lacks. */
const getOther = async (context: CommandContext, caller: CommandCaller, named: string): Promise<SwitchTarget> => {
  const account = await getNamedAccount(context, caller, named)
  if (account.playerId === caller.playerId) return getSelf(caller)
  refuseHigher(context.permissions, caller.actor.rules, account)
  return { ...account, isSelf: false }
}

/** Whether a name is the email or playerId of the caller. */
const namesSelf = (named: string, { actor, playerId }: CommandCaller): boolean =>
  playerId !== undefined && [actor.email, playerId].includes(named.trim().toLowerCase())

/** The differences between `/command:disable` and `/command:enable`. */
type Switch = {
  readonly word: 'on' | 'off'
  /** In the audit log. */
  readonly action: string
  readonly refuse: (name: string, state: PlayerState, isSelf: boolean) => CommandReply | undefined
  readonly forSelf: (state: PlayerState, name: string) => PlayerState
  readonly forOthers: (state: PlayerState, name: string) => PlayerState
}

const switchForms: readonly (readonly Argument[])[] = [
  [
    { name: 'command', kind: 'command' },
    { name: 'email', kind: 'player', optional: true },
  ],
]

type Switching = {
  readonly context: CommandContext
  readonly caller: CommandCaller
  readonly target: SwitchTarget
  readonly name: string
  readonly to: Switch
}

type Switched = { readonly state: PlayerState; readonly refused?: CommandReply }

const decideSwitch =
  (request: Switching) =>
  (current: PlayerState): DisabledCommandsChange<Switched> => {
    const { context, caller, target, name, to } = request
    const refused = to.refuse(name, current, target.isSelf)
    if (refused !== undefined) return { next: current, result: { state: current, refused } }
    const next = target.isSelf ? to.forSelf(current, name) : to.forOthers(current, name)
    if (hasSameCommands(next, current)) return { next: current, result: { state: current } }
    const result = { state: next }
    if (target.isSelf) return { next, result }
    const change = { action: to.action, target: target.email, before: current, after: next }
    return { next, result, audit: createAuditEntry(context, caller.actor, change) }
  }

const applySwitch = async (request: Switching): Promise<CommandReply> => {
  const { context, target, name, to } = request
  const { state, refused } = await changeDisabledCommands(context.store, target.playerId, decideSwitch(request))
  if (refused !== undefined) return refused
  const disabled = listDisabled(state)
  context.live?.setDisabledCommands(target.playerId, disabled)
  if (!target.isSelf) context.elsewhere?.commandsSwitched(target.playerId)
  const whose = target.isSelf ? 'you' : target.displayName
  return { ok: true, text: `/${name} is ${to.word} for ${whose}.`, data: { disabled: [...disabled].sort() } }
}

/** Switches a command on or off in the stored state of the player, and in their live session. */
const runSwitch = async (
  request: Omit<Switching, 'target' | 'name'> & { readonly args: ArgumentValues },
): Promise<CommandReply> => {
  const { context, caller, args, to } = request
  const named = findText(args, 'email')
  const isOther = named !== undefined && !namesSelf(named, caller)
  const refusal = isOther ? refuseOthers(caller) : undefined
  if (refusal !== undefined) return refusal
  const { command, message, nearest } = findCommand(context.commands, getText(args, 'command'))
  if (command === undefined) return createRefusal('refused', message, nearest === undefined ? {} : { nearest })
  const target = isOther ? await getOther(context, caller, named) : getSelf(caller)
  return applySwitch({ context, caller, target, name: command.name, to })
}

const withName = (names: readonly string[], name: string): string[] => [...new Set([...names, name])].sort()

const switchOff: Switch = {
  word: 'off',
  action: 'player.disable-command',
  refuse: (name) => (canBeSwitchedOff(name) ? undefined : createRefusal('refused', `/${name} cannot be switched off.`)),
  forSelf: (state, name): PlayerState => ({ ...state, disabledBySelf: withName(state.disabledBySelf, name) }),
  forOthers: (state, name): PlayerState => ({ ...state, disabledByOthers: withName(state.disabledByOthers, name) }),
}

/** `/command:disable`: switches a command off for the caller or another player. */
export const commandDisable: Command = {
  ...knownCommand('command:disable'),
  description: 'Disables a command for you or another player.',
  forms: switchForms,
  run: (context, caller, args) => runSwitch({ context, caller, args, to: switchOff }),
}

const withoutName = (names: readonly string[], name: string): string[] => names.filter((other) => other !== name)

const switchOn: Switch = {
  word: 'on',
  action: 'player.enable-command',
  refuse: (name, state, isSelf) =>
    isSelf && state.disabledByOthers.includes(name)
      ? createRefusal('refused', `/${name} was switched off for you by an admin. Ask an admin to switch it on.`)
      : undefined,
  forSelf: (state, name): PlayerState => ({ ...state, disabledBySelf: withoutName(state.disabledBySelf, name) }),
  forOthers: (state, name): PlayerState => ({
    disabledBySelf: withoutName(state.disabledBySelf, name),
    disabledByOthers: withoutName(state.disabledByOthers, name),
  }),
}

/** `/command:enable`: switches a command on again. A player cannot switch on a command that another user switched off. */
export const commandEnable: Command = {
  ...knownCommand('command:enable'),
  description: 'Enables a command for you or another player.',
  forms: switchForms,
  run: (context, caller, args) => runSwitch({ context, caller, args, to: switchOn }),
}
