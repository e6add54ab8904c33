import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Redis } from 'ioredis'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { showFigures } from '../support/figures.ts'
import { createStage, quickConfig, type Server } from '../support/stage.ts'
import { withoutEvents } from '../support/without-events.ts'

const preload = pathToFileURL(join(import.meta.dirname, '../../support/time/shifted-clock.js')).href
const hourMs = 3_600_000
const tokenTtlMs = 600_000
const signInsMax = 5

const shifted = (offMs: number): Record<string, string> => ({
  NODE_OPTIONS: `--import ${preload}`,
  CLOCK_OFF_MS: String(offMs),
})

/** How far the clocks are off. The real-time node is ahead of one HTTP process and behind another; a third one is right. */
const nodeMs = hourMs
const httpMs = { slow: -hourMs, fast: 2 * hourMs }

const stage = createStage()

describeOwnRedis('processes whose clocks are an hour or more apart', () => {
  let redis: RedisServer
  let redisClient: Redis
  let dataDir: string
  let right: Server
  /** All HTTP processes, by their clocks. */
  let servers: Record<string, Server>
  let realtime: Server
  let boss: string

  beforeAll(async () => {
    redis = await startRedis()
    redisClient = new Redis(redis.url.replace('unix://', ''))
    dataDir = await stage.createDataDir(quickConfig.replace('PerAccount: 1000', `PerAccount: ${signInsMax}`))
    const common = { DATA_DIR: dataDir, REDIS_URL: redis.url, METRICS_PORT: '' }
    servers = {}
    for (const [speed, offMs] of Object.entries(httpMs))
      servers[speed] = await stage.start({ ...common, ...shifted(offMs) }, 'infra/http.ts')
    ;[right, realtime] = await Promise.all([
      stage.start(common, 'infra/http.ts'),
      stage.start({ ...common, ...shifted(nodeMs) }, 'realtime/main.ts'),
    ])
    servers = { ...servers, right }
    boss = await stage.claim(Object.values(servers)[0] ?? right)
  }, 180_000)
  afterAll(async () => {
    await stage.close()
    redisClient?.disconnect()
    await redis?.stop()
  })

  const email = (name: string) => `${name}@example.com`
  /** The answer of each HTTP process; all must be the same. */
  const me = async (token: string): Promise<number> => {
    const answers = Object.values(servers).map(async ({ url }) => (await ask(url, 'GET /auth/me', { token })).status)
    const [status = 0, ...others] = await Promise.all(answers)
    expect(others).toEqual(others.map(() => status))
    return status
  }
  const logOut = async (server: Server, token: string) =>
    expect((await ask(server.url, 'POST /auth/logout', { token })).status).toBe(204)
  /** Resolves with the duration. Times out long before the token expires, and long before an hour. */
  const closed = async (client: { isOpen(): boolean }): Promise<number> => {
    const sinceMs = performance.now()
    await waitFor(() => !client.isOpen())
    return Math.round(performance.now() - sinceMs)
  }

  it('issues tokens that are valid everywhere for ten minutes', async () => {
    for (const issuer of Object.values(servers)) {
      const token = await stage.signIn(issuer.url, email('ann'))
      expect(await me(token)).toBe(200)
      expect((await stage.join(realtime.url, token)).isOpen()).toBe(true)
    }
    const keys = await redisClient.keys('gatehouse:token:*')
    const records = await Promise.all(keys.map((key) => redisClient.get(key)))
    for (const [i, key] of keys.entries()) {
      expect(await redisClient.pttl(key)).toBeLessThanOrEqual(tokenTtlMs)
      const times = (records[i]?.match(/\d{13}/g) ?? []).map(Number)
      expect(times.length).toBeGreaterThan(0)
      // No time is wrong by an hour: a token lives far less than half of one.
      for (const at of times) expect(Math.abs(at - Date.now())).toBeLessThan(hourMs / 2)
    }
  })

  it('applies revocations on the other side, with or without an event, to older sessions only', async () => {
    const figures: Record<string, number> = {}
    for (const [name, server] of Object.entries(servers)) {
      const byEvent = await stage.signIn(server.url, email(`${name}-1`))
      const byAsking = await stage.signIn(server.url, email(`${name}-2`))
      const [first, second] = [await stage.join(realtime.url, byEvent), await stage.join(realtime.url, byAsking)]
      await logOut(server, byEvent)
      figures[`${name}ByEventMs`] = await closed(first)
      await withoutEvents(redis.url, async () => {
        await logOut(server, byAsking)
        figures[`${name}ByAskingMs`] = await closed(second)
      })
      expect(await me(byAsking)).toBe(401)
      // A new password revokes all earlier sign-ins, and no later ones.
      const old = await stage.signIn(server.url, email(`${name}-3`))
      const password = 'a password of one'
      const change = { token: boss, body: { password } }
      expect((await ask(server.url, `PUT /api/admin/users/${email(`${name}-3`)}`, change)).status).toBe(200)
      expect(await me(old)).toBe(401)
      const anew = await stage.join(realtime.url, await stage.signIn(right.url, email(`${name}-3`), password))
      await pause(3000)
      expect(anew.isOpen()).toBe(true)
    }
    showFigures('wrong clocks', figures)
  }, 180_000)

  it('is listed with its players, and counts sign-ins with the others', async () => {
    const watcher = await stage.join(realtime.url, await stage.signIn(right.url, email('watcher')))
    const listed = async (server: Server) => {
      const { body } = await ask(server.url, 'GET /api/realtime/nodes')
      return Array.isArray(body.items) ? body.items.filter(({ sessions }) => sessions > 0) : []
    }
    const asked = Object.values(servers)
    for (const server of asked) {
      await waitFor(async () => (await listed(server)).length === 1)
      expect(await listed(server)).toMatchObject([{ world: 'default', state: 'ready' }])
    }
    expect(watcher.isOpen()).toBe(true)
    const login = async (server: Server) =>
      (await ask(server.url, 'POST /auth/login', { body: { email: email('often'), password: '' } })).status
    const statuses: number[] = []
    for (let i = 0; i < signInsMax + 2; i += 1) statuses.push(await login(asked[i % asked.length] ?? right))
    expect(statuses).toEqual([...Array<number>(signInsMax).fill(200), 429, 429])
  })

  it('keeps its world from a second node', async () => {
    const variables = { DATA_DIR: dataDir, REDIS_URL: redis.url, PORT: '0' }
    const second = stage.launch('realtime/main.ts', [], { ...variables, ...shifted(-nodeMs) })
    expect(await second.ended).toBe(1)
    expect(second.stderr()).toContain('The world "default" is held by')
    expect(realtime.isRunning()).toBe(true)
  })
})
