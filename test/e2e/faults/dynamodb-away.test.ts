import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type DynamoServer, describeDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { type DynamoProxy, startDynamoProxy } from '../../support/dynamodb/dynamodb-proxy.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { createBuilder } from '../support/builder.ts'
import { createDynamoPlace } from '../support/dynamo-place.ts'
import { showFigures } from '../support/figures.ts'
import { createStage, quickConfig, type Server } from '../support/stage.ts'
import { ticksShareMin, watchTicks } from '../support/tick-watch.ts'
import { startWalkers } from '../support/walkers.ts'
import { buildOnAndOn } from '../support/wall.ts'

const stage = createStage()

/** More than twice the lifetime of a lease. */
const awayMs = 30_000
const beforeMs = 5000

describeDynamo('DynamoDB that is unreachable for 30 s', () => {
  describeOwnRedis('while players build and a node is on standby', () => {
    let dynamo: DynamoServer
    let proxy: DynamoProxy
    let variables: Record<string, string>
    let redis: RedisServer
    let http: Server
    let server: Server
    let standby: Server
    let metricsPort: string

    beforeAll(async () => {
      dynamo = await openDynamoForTests()
      redis = await startRedis()
      proxy = await startDynamoProxy(dynamo.endpoint)
      metricsPort = String(await findFreePort())
      const limits = 'realtime: { messagesPerSecond: 10000, messageBurst: 20000, viewRadius: 2 }\n'
      const place = await createDynamoPlace(stage, dynamo.endpoint, `${quickConfig}${limits}`)
      // A request times out long before the lease expires, and never on a busy machine.
      const common = { ...place, DYNAMODB_ENDPOINT: proxy.endpoint, DYNAMODB_PATIENCE_MS: '5000', REDIS_URL: redis.url }
      // A separate folder simulates a separate machine.
      const ownFolder = async () => ({ DATA_DIR: await stage.createEmptyDir() })
      http = await stage.start({ ...common, ...(await ownFolder()) }, 'infra/http.ts')
      variables = { ...common, ...(await ownFolder()), METRICS_PORT: metricsPort }
      server = await stage.start(variables, 'realtime/main.ts')
      standby = await stage.start({ ...common, ...(await ownFolder()), WORLD_STANDBY: 'true' }, 'realtime/main.ts')
    }, 180_000)
    afterAll(async () => {
      await stage.close()
      await proxy?.close()
      await redis?.stop()
      await dynamo?.stop()
    })

    const join = async (email: string) => stage.enter(server.url, await stage.signIn(http.url, email))

    it('refuses edits, keeps the world, its players and confirmed edits, and recovers', async () => {
      const builder = createBuilder(await join('builder@example.com'))
      const places = builder.places.slice(0, 20)
      await builder.look(places)
      const walkers = await startWalkers(await Promise.all(['ann', 'ben', 'cora'].map((name) => join(`${name}@example.com`))))
      const wall = buildOnAndOn(builder, places)
      await wall.untilTaken(60_000)
      const before = await watchTicks(metricsPort)
      walkers.stepsSeen()
      await new Promise((resolve) => setTimeout(resolve, beforeMs))
      const untilAway = { ticks: await before(), steps: walkers.stepsSeen() }
      const report = await watchTicks(metricsPort)
      walkers.longestSilenceMs()
      walkers.corrections()

      proxy.setUnreachable(true)
      wall.answers()
      await new Promise((resolve) => setTimeout(resolve, awayMs))
      const [silenceMs, steps] = [walkers.longestSilenceMs(), walkers.stepsSeen()]
      const [ticks, answers] = [await report(), wall.answers()]
      const signIn = await ask(http.url, 'POST /auth/login', { body: { email: 'late@example.com', password: '' } })
      proxy.setUnreachable(false)
      const healedMs = await wall.untilTaken(60_000)
      const figures = {
        untilAway,
        ticks,
        silenceMs,
        steps,
        editsWhileAway: answers,
        slowestAnswerMs: wall.slowestMs(),
        editsTakenAgainAfterMs: healedMs,
      }
      showFigures('DynamoDB unreachable for 30 s', figures)

      expect(answers.unavailable).toBeGreaterThan(20)
      expect(answers['lease-lost']).toBeUndefined()
      // Edits in flight at the start of the outage may have arrived.
      expect(answers.ok ?? 0).toBeLessThanOrEqual(1)
      expect(signIn.status).toBe(503)
      expect(ticks.hertz).toBeGreaterThan(ticksShareMin * untilAway.ticks.hertz)
      expect(steps / awayMs).toBeGreaterThan((ticksShareMin * untilAway.steps) / beforeMs)
      expect([server.isRunning(), walkers.areConnected(), walkers.corrections()]).toEqual([true, true, []])
      expect(server.stdout()).toContain('writes are paused until it is')
      await waitFor(() => server.stdout().includes('no other node had taken it'))
      expect((await ask(server.url, 'GET /readyz')).status).toBe(200)

      await new Promise((resolve) => setTimeout(resolve, 1000))
      await wall.stop()
      walkers.stop()
      // No node could renew the lease in that time, so no node may take it.
      expect([standby.isRunning(), standby.stdout().includes('takes over the world')]).toEqual([true, false])
      await standby.kill()
      server.signal('SIGKILL')
      await server.ended
      server = await stage.start(variables, 'realtime/main.ts')
      const again = createBuilder(await join('builder@example.com'))
      expect(wall.mayBe(await again.look(places))).toBe(true)
    }, 180_000)
  })
})
