import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AppError } from '../../kernel/errors.ts'
import { createCollection, type Store } from '../../platform/storage/store.ts'

/** The maximum number of players that one player may ignore. */
const ignoredMax = 200

/** The playerIds that a player ignores, oldest first, by playerId of the player. */
export const playerIgnores = createCollection(
  'player-ignores',
  ClosedObject({ playerIds: Type.Array(Type.String(), { maxItems: ignoredMax }) }),
)

/** Shared by the players that ignore no one: a set takes half a kibibyte. */
const nobody: ReadonlySet<string> = new Set()

export const readIgnored = async (store: Pick<Store, 'get'>, playerId: string): Promise<ReadonlySet<string>> => {
  const { playerIds = [] } = (await store.get(playerIgnores, playerId))?.value ?? {}
  return playerIds.length === 0 ? nobody : new Set(playerIds)
}

/** The number of conflicts in a row before a change fails. Each conflict means that another change of the same player succeeded. */
const attemptsMax = 20

/** Ignores `other`, or stops ignoring them. Returns the ignored playerIds. Durable when it resolves. Throws `conflict` beyond 200. */
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
      throw new AppError('conflict', 'conflict', `You already ignore ${ignoredMax} players. Stop ignoring one of them first.`)
    try {
      await store.put(playerIgnores, playerId, { playerIds }, { ifVersion: stored?.version ?? null })
      return new Set(playerIds)
    } catch (error) {
      if (!(error instanceof AppError && error.kind === 'conflict') || attempt >= attemptsMax) throw error
    }
  }
}
