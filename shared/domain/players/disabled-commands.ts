import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../kernel/errors.ts'
import { putWrite, type Store, type Write } from '../../platform/storage/store.ts'
import type { AuditEntry } from '../audit/audit-log.ts'
import { auditWrites } from '../audit/store-audit-log.ts'
import { canBeSwitchedOff } from '../permissions/known-commands.ts'
import {
  commandSwitches,
  commandSwitchesId,
  emptyPlayerState,
  listDisabled,
  type PlayerState,
  playerStates,
  switchesKept,
} from './player-state.ts'

/** The number of conflicts in a row before a change fails. Each conflict means that another writer succeeded. */
const attemptsMax = 20

export type DisabledCommandsChange<R> = {
  /** Equal to the current value if nothing changes. */
  readonly next: PlayerState
  /** Written in the same commit as the change. */
  readonly audit?: AuditEntry
  readonly result: R
}

/** Whether both states have the same commands switched off, by the same side. */
export const hasSameCommands = (a: PlayerState, b: PlayerState): boolean =>
  isDeepStrictEqual([a.disabledBySelf, a.disabledByOthers], [b.disabledBySelf, b.disabledByOthers])

/** Records the player for nodes that miss the event. */
const noteSwitch = async (store: Store, playerId: string): Promise<Write> => {
  const stored = await store.get(commandSwitches, commandSwitchesId)
  const others = (stored?.value.playerIds ?? []).filter((id) => id !== playerId)
  const playerIds = [...others, playerId].slice(-switchesKept)
  return putWrite(commandSwitches, commandSwitchesId, { playerIds }, { ifVersion: stored?.version ?? null })
}

/**
 * Changes a player's state atomically, with any number of writers. `decide` may be called again after a conflict, and may throw to
 * refuse. Durable when it resolves.
 */
export const changeDisabledCommands = async <R>(
  store: Store,
  playerId: string,
  decide: (current: PlayerState) => DisabledCommandsChange<R>,
): Promise<R> => {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await store.get(playerStates, playerId)
    const current = stored?.value ?? emptyPlayerState
    const { next, result, audit } = decide(current)
    if (next === current) return result
    try {
      const write = putWrite(playerStates, playerId, next, { ifVersion: stored?.version ?? null })
      const isByOthers = !isDeepStrictEqual(current.disabledByOthers, next.disabledByOthers)
      const noted = isByOthers ? [await noteSwitch(store, playerId)] : []
      await store.commit([write, ...noted, ...(audit ? auditWrites(audit) : [])])
      return result
    } catch (error) {
      const isConflict = error instanceof AppError && error.kind === 'conflict'
      if (!isConflict || attempt >= attemptsMax) throw error
    }
  }
}

/**
 * Replaces all commands that a player has switched off for themselves (the message Preferences). Resolves to all commands that are now
 * off for the player. Skips unknown names and commands that cannot be switched off.
 */
export const replaceDisabledBySelf = (
  { store, commands }: { readonly store: Store; readonly commands: readonly { readonly name: string }[] },
  playerId: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> => {
  const requested = new Set(names.map((name) => name.toLowerCase().replace(/^\//, '')))
  const disabledBySelf = commands
    .map(({ name }) => name)
    .filter((name) => requested.has(name) && canBeSwitchedOff(name))
    .sort()
  return changeDisabledCommands(store, playerId, (current) => {
    const next = { ...current, disabledBySelf }
    return { next: hasSameCommands(next, current) ? current : next, result: listDisabled(next) }
  })
}
