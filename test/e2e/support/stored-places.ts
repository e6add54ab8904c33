import { Redis } from 'ioredis'
import { parseKeptSession } from '../../../shared/domain/sessions/session-store.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import type { CrowdPlayer } from './crowd.ts'

/**
 * Resolves once the Redis at `url` has the current place of each player, so that the next node continues there. A node writes them
 * once a second, on a busy machine later.
 */
export const untilPlacesAreStored = async (url: string, players: readonly CrowdPlayer[]): Promise<void> => {
  const redis = new Redis(url.replace('unix://', ''))
  const areStored = async (): Promise<boolean> => {
    const hashes = await Promise.all((await redis.keys('gatehouse:sessions:*')).map((key) => redis.hgetall(key)))
    const texts = new Map(hashes.flatMap((hash) => Object.entries(hash)))
    return players.every((player) => {
      const playerId = player.welcomes().at(-1)?.playerId ?? ''
      const { x, y, z } = player.place()
      const stored = parseKeptSession(playerId, texts.get(playerId) ?? '')?.place
      return stored !== undefined && stored.x === x && stored.y === y && stored.z === z
    })
  }
  try {
    await waitFor(areStored, undefined, 100)
  } finally {
    redis.disconnect()
  }
}
