import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createCollection, type Store } from '../../platform/storage/store.ts'

/** What is kept of a player between connections. */
export const PlayerState = ClosedObject({
  /** Command names without the slash. */
  disabledBySelf: Type.Array(Type.String()),
  /** Switched off by somebody with `command.disable.others`; the player cannot switch these on again. */
  disabledByOthers: Type.Array(Type.String()),
})
export type PlayerState = Static<typeof PlayerState>

/** By playerId. */
export const playerStates = createCollection('player-states', PlayerState)

/** How many players a record of switches names. */
export const switchesKept = 100

/** Whose commands somebody else switched last, the newest last: what a node finds out from it that no event told. */
const CommandSwitches = ClosedObject({ playerIds: Type.Array(Type.String(), { maxItems: switchesKept }) })

/** One record for all players, changed together with the state that it is about. */
export const commandSwitches = createCollection('command-switches', CommandSwitches)
export const commandSwitchesId = 'all'

export const emptyPlayerState: PlayerState = {
  disabledBySelf: [],
  disabledByOthers: [],
}

/** What most players have switched off, in common: a set of its own for each takes half a kibibyte. */
const nothing: ReadonlySet<string> = new Set()

/** All that is switched off for a player, by whomever. */
export const listDisabled = ({ disabledBySelf, disabledByOthers }: PlayerState): ReadonlySet<string> =>
  disabledBySelf.length + disabledByOthers.length === 0 ? nothing : new Set([...disabledBySelf, ...disabledByOthers])

/** What a player has switched off, from the store; for a player never heard of, nothing. */
export const readDisabledCommands = async (store: Pick<Store, 'get'>, playerId: string): Promise<ReadonlySet<string>> =>
  listDisabled((await store.get(playerStates, playerId))?.value ?? emptyPlayerState)
