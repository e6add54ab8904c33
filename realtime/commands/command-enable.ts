import type { PlayerState } from '../../shared/players/player-state.ts'
import type { Command } from './command.ts'
import { createRefusal } from './executor/refusal.ts'
import { runSwitch, type Switch, switchForms } from './switch-command.ts'

const withoutName = (names: readonly string[], name: string): string[] => names.filter((other) => other !== name)

const switchOn: Switch = {
  word: 'on',
  action: 'player.enable-command',
  refuse: (name, state, isSelf) =>
    isSelf && state.disabledByOthers.includes(name)
      ? createRefusal('refused', `/${name} was switched off for you by somebody else; ask an administrator.`)
      : undefined,
  forSelf: (state, name): PlayerState => ({ ...state, disabledBySelf: withoutName(state.disabledBySelf, name) }),
  forOthers: (state, name): PlayerState => ({
    disabledBySelf: withoutName(state.disabledBySelf, name),
    disabledByOthers: withoutName(state.disabledByOthers, name),
  }),
}

/** `/command:enable`: switches a command on again for oneself, or for somebody else; what others switched off only they switch on. */
export const commandEnable: Command = {
  name: 'command:enable',
  description: 'Switches a command on again for you, or for somebody else.',
  forms: switchForms,
  permission: 'none',
  privileged: false,
  run: (context, caller, args) => runSwitch({ context, caller, args, to: switchOn }),
}
