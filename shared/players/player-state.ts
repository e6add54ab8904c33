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

export const emptyPlayerState: PlayerState = {
  disabledBySelf: [],
  disabledByOthers: [],
}
