import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import { createCollection, type Store } from '../../platform/storage/store.ts'

/** Players that one may ignore at a time. */
const ignoredMax = 200

/** Whom a player does not want to hear, by playerId of the player; the one ignored longest first. */
export const playerIgnores = createCollection(
  'player-ignores',
  ClosedObject({ playerIds: Type.Array(Type.String(), { maxItems: ignoredMax }) }),
)

/** What most players ignore, in common: a set of its own for each takes half a kibibyte. */
const nobody: ReadonlySet<string> = new Set()

/** The playerIds that a player ignores. */
export const readIgnored = async (store: Pick<Store, 'get'>, playerId: string): Promise<ReadonlySet<string>> => {
  const { playerIds = [] } = (await store.get(playerIgnores, playerId))?.value ?? {}
  return playerIds.length === 0 ? nobody : new Set(playerIds)
}

/** Conflicts in a row before a change gives up; each means that another change of the same player went through. */
const attemptsMax = 20

/** Ignores `other`, or hears them again; the playerIds that are ignored then. Durable when it resolves. Throws `conflict` beyond 200. */
export const setIgnored = async (
  store: Pick<Store, 'get' | 'put'>,
  playerId: string,
  other: string,
  isIgnored: boolean,
): Promise<ReadonlySet<string>> => {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await store.get(playerIgnores, playerId)
    const before = stored?.value.playerIds ?? []
    if (before.includes(other) === isIgnored) return new Set(before)
    const playerIds = isIgnored ? [...before, other] : before.filter((id) => id !== other)
    if (playerIds.length > ignoredMax)
      throw new AppError('conflict', 'conflict', `You ignore ${ignoredMax} players already; hear one of them again first.`)
    try {
      await store.put(playerIgnores, playerId, { playerIds }, { ifVersion: stored?.version ?? null })
      return new Set(playerIds)
    } catch (error) {
      if (!(error instanceof AppError && error.kind === 'conflict') || attempt >= attemptsMax) throw error
    }
  }
}
