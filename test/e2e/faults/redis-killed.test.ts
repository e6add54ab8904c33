import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Redis } from 'ioredis'
import { createRedisPresence } from '../../../shared/domain/presence/redis/presence-redis.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { connectPatiently } from '../../support/redis/patient-redis.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { showFigures } from '../support/figures.ts'
import { createStage, type Server } from '../support/stage.ts'
import { ticksShareMin, watchTicks } from '../support/tick-watch.ts'
import { startWalkers, type Walkers } from '../support/walkers.ts'

const playersMax = 20
const awayMs = 4000

const stage = createStage()

describeOwnRedis('a Redis cluster that is killed and restarted while users play and sign in', () => {
  let redis: RedisServer
  let http: Server
  let metricsPort: string
  let walkers: Walkers
  let token: string

  beforeAll(async () => {
    redis = await startRedis({ cluster: true })
    metricsPort = String(await findFreePort())
    const port = String(await findFreePort())
    const common = { DATA_DIR: await stage.createDataDir(), REDIS_URL: redis.url }
    http = await stage.start({ ...common, REALTIME_URL: `http://127.0.0.1:${port}` }, 'infra/http.ts')
    await stage.start({ ...common, PORT: port, METRICS_PORT: metricsPort }, 'realtime/main.ts')
    const join = async (i: number) => stage.enter(http.url, await stage.signIn(http.url, `walker-${i}@example.com`))
    walkers = await startWalkers(await Promise.all(Array.from({ length: playersMax }, (_, i) => join(i))))
    token = await stage.signIn(http.url, 'ann@example.com')
  }, 180_000)
  afterAll(async () => {
    walkers?.stop()
    await stage.close()
    await redis?.stop()
  })

  const statusOf = async (what: string, asked: Parameters<typeof ask>[2] = {}) => (await ask(http.url, what, asked)).status
  const signIn = () => statusOf('POST /auth/login', { body: { email: 'ben@example.com', password: '' } })

  /**
   * Sends requests without pause, two at a time, until the returned function is called. That resolves with every status and its
   * request time.
   */
  const askOnAndOn = (request: () => Promise<number>) => {
    const answers: { readonly askedMs: number; readonly answeredMs: number; readonly status: number }[] = []
    let isOver = false
    const work = async (): Promise<void> => {
      while (!isOver) {
        const askedMs = performance.now()
        const status = await request()
        answers.push({ askedMs, answeredMs: performance.now(), status })
      }
    }
    const all = Promise.all([work(), work()])
    return async () => {
      isOver = true
      await all
      return answers
    }
  }

  /** The recovery time of each part, in milliseconds after Redis was back. */
  const measureHealing = async () => {
    const backMs = performance.now()
    const since = async (holds: () => Promise<boolean>): Promise<number> => {
      await waitFor(() => holds().catch(() => false))
      return Math.round(performance.now() - backMs)
    }
    const connection = connectPatiently(redis.url)
    const presence = createRedisPresence({ redis: connection })
    const address = new URL(redis.url.replace('+cluster', ''))
    const observer = new Redis({ host: address.hostname, port: Number(address.port) })
    const listeners = async (topic: string) => {
      const [, count] = (await observer.call('PUBSUB', 'NUMSUB', `gatehouse:event:${topic}`)) as [string, number]
      return Number(count)
    }
    try {
      const [signedIn, checked, heard, present, listed] = await Promise.all([
        since(async () => (await signIn()) === 200),
        since(async () => {
          const fresh = await stage.signIn(http.url, 'cora@example.com')
          return (await statusOf('GET /auth/me', { token: fresh })) === 200
        }),
        since(async () => {
          const counts = await Promise.all(['sign-in-ended', 'account-changed'].map(listeners))
          return counts.every((count) => count >= 1)
        }),
        since(async () => (await presence.countConnected()) === playersMax),
        since(async () => {
          const { body } = await ask(http.url, 'GET /api/realtime/nodes')
          return Array.isArray(body.items) && body.items.some(({ sessions }) => sessions === playersMax)
        }),
      ])
      return { signIn: signedIn, tokenCheck: checked, events: heard, presence: present, registry: listed }
    } finally {
      observer.disconnect()
      await connection.close()
    }
  }

  it('admits no unchecked player, keeps all sessions, and recovers by itself', async () => {
    const before = await watchTicks(metricsPort)
    await new Promise((resolve) => setTimeout(resolve, awayMs))
    const untilKilled = { ticks: await before(), steps: walkers.stepsSeen() }
    const report = await watchTicks(metricsPort)
    walkers.longestSilenceMs()
    walkers.linesHeard()
    walkers.corrections()
    const stops = [askOnAndOn(signIn), askOnAndOn(() => statusOf('GET /auth/me', { token }))]
    await redis.kill()
    const killedMs = performance.now()
    await new Promise((resolve) => setTimeout(resolve, awayMs))
    const whileAway = {
      ticks: await report(),
      silenceMs: walkers.longestSilenceMs(),
      steps: walkers.stepsSeen(),
      lines: walkers.linesHeard(),
    }
    const restartMs = performance.now()
    await redis.restart()
    const healed = await measureHealing().finally(() => stops.map((stop) => stop()))
    const [signIns = [], checks = []] = await Promise.all(stops.map((stop) => stop()))
    showFigures(`a Redis cluster killed for ${awayMs} ms`, {
      healed,
      untilKilled,
      ...whileAway,
      signIns: signIns.length,
      checks: checks.length,
    })

    for (const answers of [signIns, checks]) {
      const asked = answers.filter(({ askedMs, answeredMs }) => askedMs > killedMs && answeredMs < restartMs)
      expect(asked.length).toBeGreaterThan(5)
      expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([503]))
    }
    // It is empty after the restart: earlier tokens are never valid again.
    expect(checks.filter(({ askedMs, status }) => askedMs > killedMs && status === 200)).toEqual([])
    expect(whileAway.ticks.hertz).toBeGreaterThan(ticksShareMin * untilKilled.ticks.hertz)
    expect(whileAway.steps).toBeGreaterThan(ticksShareMin * untilKilled.steps)
    expect(whileAway.lines).toBeGreaterThan(playersMax)
    expect([walkers.areConnected(), walkers.corrections()]).toEqual([true, []])
  }, 180_000)
})
