import { AppError } from '../../shared/kernel/errors.ts'
import { emptyPlayerState, type PlayerState, playerStates } from '../../shared/players/player-state.ts'
import { putWrite, type Store, type Write } from '../../shared/storage/store.ts'

/** Conflicts in a row before a change gives up; each means that somebody else's change went through. */
const attemptsMax = 20

export type DisabledCommandsChange<R> = {
  /** The same value when nothing changes. */
  readonly next: PlayerState
  /** Records that are written with the change, or not at all. */
  readonly writes?: readonly Write[]
  readonly result: R
}

/** All that is switched off for a player, by whomever. */
export const listDisabled = ({ disabledBySelf, disabledByOthers }: PlayerState): ReadonlySet<string> =>
  new Set([...disabledBySelf, ...disabledByOthers])

/** What a player has switched off, from the store; for a player never heard of, nothing. */
export const readDisabledCommands = async (store: Store, playerId: string): Promise<ReadonlySet<string>> =>
  listDisabled((await store.get(playerStates, playerId))?.value ?? emptyPlayerState)

/**
 * Changes a player's state in one atomic step with the records that belong to it, however many writers there are; `decide` may be
 * called again after a conflict, and may throw to refuse. Durable when it resolves.
 */
export const changeDisabledCommands = async <R>(
  store: Store,
  playerId: string,
  decide: (current: PlayerState) => DisabledCommandsChange<R>,
): Promise<R> => {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await store.get(playerStates, playerId)
    const current = stored?.value ?? emptyPlayerState
    const { next, writes = [], result } = decide(current)
    if (next === current) return result
    try {
      await store.commit([putWrite(playerStates, playerId, next, { ifVersion: stored?.version ?? null }), ...writes])
      return result
    } catch (error) {
      const isConflict = error instanceof AppError && error.kind === 'conflict'
      if (!isConflict || attempt >= attemptsMax) throw error
    }
  }
}

/** Sets all that players switch off for themselves (the message Preferences) and resolves to everything that is off for them now. */
export const replaceDisabledBySelf = (store: Store, playerId: string, names: readonly string[]): Promise<ReadonlySet<string>> =>
  changeDisabledCommands(store, playerId, (current) => {
    const next = { ...current, disabledBySelf: [...new Set(names)].sort() }
    const isSame = JSON.stringify(next.disabledBySelf) === JSON.stringify(current.disabledBySelf)
    return { next: isSame ? current : next, result: listDisabled(next) }
  })
