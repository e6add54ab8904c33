import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createParser } from '../../kernel/schema.ts'
import { type Collection, createCollection, type Store } from '../../platform/storage/store.ts'

/** The data of a player that outlives a connection. */
export const PlayerState = ClosedObject({
  /** Command names without the slash. */
  disabledBySelf: Type.Array(Type.String()),
  /** Switched off by a player with `command.disable.others`. The player cannot switch these on. */
  disabledByOthers: Type.Array(Type.String()),
})
export type PlayerState = Static<typeof PlayerState>

/** By playerId. */
export const playerStates = createCollection('player-states', PlayerState)

/** The number of players in the record of switches. */
export const switchesKept = 100

/** The players whose commands others switched last, newest last. A node that missed an event reads it here. */
const CommandSwitches = ClosedObject({ playerIds: Type.Array(Type.String(), { maxItems: switchesKept }) })

/** One record for all players, written together with the changed state. */
export const commandSwitches = createCollection('command-switches', CommandSwitches)
export const commandSwitchesId = 'all'

export const emptyPlayerState: PlayerState = {
  disabledBySelf: [],
  disabledByOthers: [],
}

/** Shared by the players who have nothing switched off: a set takes half a kibibyte. */
const nothing: ReadonlySet<string> = new Set()

/** All commands that are switched off for a player, by either side. */
export const listDisabled = ({ disabledBySelf, disabledByOthers }: PlayerState): ReadonlySet<string> =>
  disabledBySelf.length + disabledByOthers.length === 0 ? nothing : new Set([...disabledBySelf, ...disabledByOthers])

/** The commands that are off for a player, read from the store; empty for an unknown player. */
export const readDisabledCommands = async (store: Pick<Store, 'get'>, playerId: string): Promise<ReadonlySet<string>> =>
  listDisabled((await store.get(playerStates, playerId))?.value ?? emptyPlayerState)

const across = Type.Number({ minimum: -30_000_000, maximum: 30_000_000 })

/** The position of a player in a world: blocks, and degrees of yaw and pitch. */
export const SavedPosition = ClosedObject({
  x: across,
  y: Type.Number({ minimum: 0, maximum: 512 }),
  z: across,
  yaw: Type.Number({ minimum: 0, maximum: 360 }),
  pitch: Type.Number({ minimum: -90, maximum: 90 }),
})
export type SavedPosition = Static<typeof SavedPosition>

const parsePosition = createParser(SavedPosition)

/** By `savedPositionId`. An invalid record reads as undefined, so that it keeps no player out. */
export const savedPositions: Collection<SavedPosition | undefined> = {
  name: 'player-places',
  parse: (stored) => {
    const result = parsePosition(stored)
    return result.ok ? result.value : undefined
  },
}

/** A player has one saved position in each world. */
export const savedPositionId = (worldId: string, playerId: string): string => `${worldId}/${playerId}`

/** The last position of a player in a world; undefined for a new visitor. */
export const readSavedPosition = async (
  store: Pick<Store, 'get'>,
  worldId: string,
  playerId: string,
): Promise<SavedPosition | undefined> => (await store.get(savedPositions, savedPositionId(worldId, playerId)))?.value
