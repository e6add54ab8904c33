import type { PlayerState } from '../../shared/players/player-state.ts'
import type { Command } from './command.ts'
import { canBeSwitchedOff } from './executor/decide-command.ts'
import { createRefusal } from './executor/refusal.ts'
import { runSwitch, type Switch, switchForms } from './switch-command.ts'

const withName = (names: readonly string[], name: string): string[] => [...new Set([...names, name])].sort()

const switchOff: Switch = {
  word: 'off',
  action: 'player.disable-command',
  refuse: (name) => (canBeSwitchedOff(name) ? undefined : createRefusal('refused', `/${name} cannot be switched off.`)),
  forSelf: (state, name): PlayerState => ({ ...state, disabledBySelf: withName(state.disabledBySelf, name) }),
  forOthers: (state, name): PlayerState => ({ ...state, disabledByOthers: withName(state.disabledByOthers, name) }),
}

/** `/command:disable`: switches a command off for oneself, or for somebody else. */
export const commandDisable: Command = {
  name: 'command:disable',
  description: 'Switches a command off for you, or for somebody else.',
  forms: switchForms,
  permission: 'none',
  privileged: false,
  run: (context, caller, args) => runSwitch({ context, caller, args, to: switchOff }),
}
