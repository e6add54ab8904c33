import { type Static, Type } from '@sinclair/typebox'
import { createCollection } from '../storage/store.ts'

/** What is kept of a player between connections. */
export const PlayerState = Type.Object(
  {
    /** Command names without the slash. */
    disabledBySelf: Type.Array(Type.String()),
    /** Switched off by somebody with `command.disable.others`; the player cannot switch these on again. */
    disabledByOthers: Type.Array(Type.String()),
  },
  { additionalProperties: false },
)
export type PlayerState = Static<typeof PlayerState>

/** By playerId. */
export const playerStates = createCollection('player-states', PlayerState)

/** How many players a record of switches names. */
export const switchesKept = 100

/** Whose commands somebody else switched last, the newest last: what a node finds out from it that no event told. */
const CommandSwitches = Type.Object(
  { playerIds: Type.Array(Type.String(), { maxItems: switchesKept }) },
  { additionalProperties: false },
)

/** One record for all players, changed together with the state that it is about. */
export const commandSwitches = createCollection('command-switches', CommandSwitches)
export const commandSwitchesId = 'all'

export const emptyPlayerState: PlayerState = {
  disabledBySelf: [],
  disabledByOthers: [],
}
