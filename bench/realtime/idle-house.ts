import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatEntry } from '../../shared/domain/accounts/store/users-file/users-file-entry.ts'
import { savedPositionId, savedPositions } from '../../shared/domain/players/saved-position.ts'
import { createLog } from '../../shared/kernel/log.ts'
import { parseEnvironment } from '../../shared/platform/process/environment.ts'
import { putWrite } from '../../shared/platform/storage/store.ts'
import { openServices } from '../../shared/services/services.ts'
import { generateLevelGround } from './level-ground.ts'

export type IdleHouse = {
  readonly dataDir: string
  readonly redisUrl: string
  readonly players: number
  /** The side of the square on which players stand, evenly spread. */
  readonly sideBlocks: number
}

const commitMax = 10

/** Writes accounts, positions and terrain, and signs in all players; resolves with the path of their tokens, a JSON array. */
export const furnishIdleHouse = async ({ dataDir, redisUrl, players, sideBlocks }: IdleHouse): Promise<string> => {
  const playerIds = Array.from({ length: players }, () => randomUUID())
  const createdAt = new Date().toISOString()
  const entries = playerIds.map((playerId, i) => ({
    email: `idle-${i}@example.com`,
    playerId,
    displayName: `Idle ${i}`,
    groups: ['player'],
    createdAt,
  }))
  await writeFile(join(dataDir, 'config', 'users.yaml'), `users:\n${entries.map((entry) => formatEntry(entry, 2)).join('')}`)
  const environment = parseEnvironment({ DATA_DIR: dataDir, REDIS_URL: redisUrl }, 'all')
  const services = await openServices(environment, createLog('warn', 'bench'))
  try {
    await generateLevelGround(services, sideBlocks)
    const world = await services.worlds.ensureActive()
    const perRow = Math.ceil(Math.sqrt(players))
    const positionOf = (i: number) => {
      const [column, row] = [i % perRow, Math.floor(i / perRow)]
      const along = (at: number) => ((at + 0.5) / perRow - 0.5) * sideBlocks
      return { x: along(column), y: 64, z: along(row), yaw: 0, pitch: 0 }
    }
    const writes = playerIds.map((playerId, i) => putWrite(savedPositions, savedPositionId(world.id, playerId), positionOf(i)))
    for (let at = 0; at < writes.length; at += commitMax) await services.store.commit(writes.slice(at, at + commitMax))
    const tokens: string[] = []
    const issue = (playerId: string) =>
      services.tokens.issue({ playerId, verified: false, signInId: randomUUID(), signedInAt: services.clock.now() })
    for (let at = 0; at < players; at += 500) tokens.push(...(await Promise.all(playerIds.slice(at, at + 500).map(issue))))
    const path = join(dataDir, 'tokens.json')
    await writeFile(path, JSON.stringify(tokens))
    return path
  } finally {
    await services.close()
  }
}
