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

/** Conflicts in a row before a change gives up; each means that somebody else's change went through. */
const attemptsMax = 20

export type DisabledCommandsChange<R> = {
  /** The same value when nothing changes. */
  readonly next: PlayerState
  /** Written with the change, or not at all. */
  readonly audit?: AuditEntry
  readonly result: R
}

/** Whether two states have the same switched off by the same. */
export const hasSameCommands = (a: PlayerState, b: PlayerState): boolean =>
  isDeepStrictEqual([a.disabledBySelf, a.disabledByOthers], [b.disabledBySelf, b.disabledByOthers])

/** For nodes that an event does not reach. */
const noteSwitch = async (store: Store, playerId: string): Promise<Write> => {
  const stored = await store.get(commandSwitches, commandSwitchesId)
  const others = (stored?.value.playerIds ?? []).filter((id) => id !== playerId)
  const playerIds = [...others, playerId].slice(-switchesKept)
  return putWrite(commandSwitches, commandSwitchesId, { playerIds }, { ifVersion: stored?.version ?? null })
}

/**
 * Changes a player's state in one atomic step, however many writers there are; `decide` may be called again after a conflict, and may throw to refuse. Durable when it resolves.
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
 * Sets all that players switch off for themselves (the message Preferences) and resolves to everything that is off for them now.
 * Names that are no command's, and those of commands that stay on, are passed over.
 */
export const replaceDisabledBySelf = (
  { store, commands }: { readonly store: Store; readonly commands: readonly { readonly name: string }[] },
  playerId: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> => {
  const wanted = new Set(names.map((name) => name.toLowerCase().replace(/^\//, '')))
  const disabledBySelf = commands
    .map(({ name }) => name)
    .filter((name) => wanted.has(name) && canBeSwitchedOff(name))
    .sort()
  return changeDisabledCommands(store, playerId, (current) => {
    const next = { ...current, disabledBySelf }
    return { next: hasSameCommands(next, current) ? current : next, result: listDisabled(next) }
  })
}
