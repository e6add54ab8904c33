import { AppError } from '../../shared/kernel/errors.ts'
import type { HttpDeps } from '../deps.ts'

/** Throws AppError `unprocessable` with the pointers of playerIds that no account has. */
export const refuseUnknownPlayers = async (
  { accountStore }: Pick<HttpDeps, 'accountStore'>,
  playerIds: readonly string[],
  pointerOf: (playerId: string) => string,
): Promise<void> => {
  const accounts = await Promise.all(playerIds.map((playerId) => accountStore.findByPlayerId(playerId.toLowerCase())))
  const unknown = playerIds.filter((_, at) => accounts[at] === undefined)
  if (unknown.length === 0) return
  const errors = unknown.map((playerId) => ({ pointer: pointerOf(playerId), message: 'is not the playerId of an account' }))
  throw new AppError('unprocessable', 'rule-broken', 'No account has this playerId.', { errors })
}
