import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHttpMetrics } from '../../functions/http/metrics.ts'
import { startHttpHalf } from '../../infra/http/http-half.ts'
import { createRealtimeMetrics } from '../../realtime/metrics/realtime-metrics.ts'
import { startNode } from '../../realtime/node/node.ts'
import { createLog } from '../../shared/kernel/log.ts'
import { parseEnvironment } from '../../shared/platform/process/environment.ts'
import { readTenure } from '../../shared/platform/process/lease-holder.ts'
import { openServices } from '../../shared/services/services.ts'
import { generateLevelGround, writeLevelGround } from './level-ground.ts'
import { measureServer } from './measured-server.ts'
import type { Scenario } from './scenario.ts'
import { createWalk } from './walk.ts'

/** Both halves of Gatehouse as in `npm start`, on a separate data folder. Argument: the scenario as JSON. */
const scenario: Scenario = JSON.parse(process.argv[2] ?? '{}')
/** Limits so high that no request is refused, because a refusal costs less than a real request; all players share one address. */
const limits = `http: { rateLimits: { signInPerMinutePerAccount: 1000000, signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000, requestsPerMinutePerToken: 1000000 } }
realtime: { waitingPerAddress: 1000 }
`
const counters = measureServer()

const start = async (): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-node-'))
  await writeLevelGround(dataDir)
  await writeFile(join(dataDir, 'config', 'server.yaml'), limits)
  const environment = parseEnvironment({ DATA_DIR: dataDir, PORT: '0' }, 'all')
  const services = await openServices(environment, createLog('warn', 'bench'))
  await generateLevelGround(services, scenario.sideBlocks)
  const node = await startNode(services, {
    tenure: await readTenure(environment),
    baseUrl: environment.baseUrl,
    serverVersion: 'bench',
    metrics: {
      ...createRealtimeMetrics(),
      countRefusedMove: counters.refusedMove,
      observeTick: (seconds, _sincePreviousSeconds, { framesOut, bytesOut }) => {
        counters.tick(seconds * 1000)
        counters.frames(framesOut, bytesOut)
      },
    },
  })

  const signInPlayer = async (index: number) => {
    const { playerId } = await services.accounts.signUp(`player${index}@example.com`, 'bench')
    const token = await services.tokens.issue({
      playerId,
      verified: false,
      signInId: services.ids.uuid(),
      signedInAt: Date.now(),
    })
    return { playerId, token }
  }

  const players = await Promise.all(Array.from({ length: scenario.players }, (_, index) => signInPlayer(index)))
  const walk = createWalk({ players: scenario.players, sideBlocks: scenario.sideBlocks, seed: 7 })

  process.on('message', (message) => {
    if (message !== 'spread') return
    // Move players to the start of their walk, even at one point: new players stand apart from others, and long moves are
    // refused.
    for (const [index, { playerId }] of players.entries())
      node.live()?.teleport(playerId, { x: walk.x[index] ?? 0, y: 64, z: walk.z[index] ?? 0, yaw: 0, pitch: 0 })
  })
  const { port } = await startHttpHalf(environment, services, { metrics: createHttpMetrics(), upgrade: node.handleUpgrade })
  process.send?.({ ready: port, tokens: players.map(({ token }) => token) })
}

export const main = start()
