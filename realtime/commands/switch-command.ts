import { createAuditEntry } from '../../shared/audit/audit-entry.ts'
import type { PlayerState } from '../../shared/players/player-state.ts'
import type { Argument, ArgumentValues, CommandCaller, CommandContext, CommandReply } from './command.ts'
import {
  changeDisabledCommands,
  type DisabledCommandsChange,
  hasSameCommands,
  listDisabled,
} from './executor/disabled-commands.ts'
import { findCommand } from './executor/find-command.ts'
import { findText, getText } from './executor/read-arguments.ts'
import { createRefusal } from './executor/refusal.ts'
import { getOther, getSelf, namesSelf, refuseOthers, type SwitchTarget } from './switch-target.ts'

/** What `/command:disable` and `/command:enable` do differently. */
export type Switch = {
  readonly word: 'on' | 'off'
  /** In the audit log. */
  readonly action: string
  readonly refuse: (name: string, state: PlayerState, isSelf: boolean) => CommandReply | undefined
  readonly forSelf: (state: PlayerState, name: string) => PlayerState
  readonly forOthers: (state: PlayerState, name: string) => PlayerState
}

export const switchForms: readonly (readonly Argument[])[] = [
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

/** Written first: an entry of a change that was lost to a crash does less harm than a change without an entry. */
const auditSwitch = async (
  { context, caller, target, to }: Switching,
  before: PlayerState,
  after: PlayerState,
): Promise<void> => {
  const entry = createAuditEntry(context, caller.actor, { action: to.action, target: target.email, before, after })
  await context.audit.append([entry])
}

const decideSwitch =
  (asked: Switching) =>
  (current: PlayerState): DisabledCommandsChange<Switched> => {
    const { target, name, to } = asked
    const refused = to.refuse(name, current, target.isSelf)
    if (refused !== undefined) return { next: current, result: { state: current, refused } }
    const next = target.isSelf ? to.forSelf(current, name) : to.forOthers(current, name)
    if (hasSameCommands(next, current)) return { next: current, result: { state: current } }
    const result = { state: next }
    return target.isSelf ? { next, result } : { next, result, beforeWrite: () => auditSwitch(asked, current, next) }
  }

const applySwitch = async (asked: Switching): Promise<CommandReply> => {
  const { context, target, name, to } = asked
  const { state, refused } = await changeDisabledCommands(context.store, target.playerId, decideSwitch(asked))
  if (refused !== undefined) return refused
  const disabled = listDisabled(state)
  context.live?.setDisabledCommands(target.playerId, disabled)
  if (!target.isSelf) context.elsewhere?.commandsSwitched(target.playerId)
  const whose = target.isSelf ? 'you' : target.displayName
  return { ok: true, text: `/${name} is ${to.word} for ${whose}.`, data: { disabled: [...disabled].sort() } }
}

/** Switches a command on or off in the player's stored state, and in their live session if they have one. */
export const runSwitch = async (
  asked: Omit<Switching, 'target' | 'name'> & { readonly args: ArgumentValues },
): Promise<CommandReply> => {
  const { context, caller, args, to } = asked
  const named = findText(args, 'email')
  const isOther = named !== undefined && !namesSelf(named, caller)
  const refusal = isOther ? refuseOthers(caller) : undefined
  if (refusal !== undefined) return refusal
  const { command, message, nearest } = findCommand(context.commands, getText(args, 'command'))
  if (command === undefined) return createRefusal('refused', message, nearest === undefined ? {} : { nearest })
  const target = isOther ? await getOther(context, caller, named) : getSelf(caller)
  return applySwitch({ context, caller, target, name: command.name, to })
}
