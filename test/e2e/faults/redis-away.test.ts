import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import type { PlayerLink } from '../support/player-link.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()

describeOwnRedis('with Redis away', () => {
  let redis: RedisServer
  let http: Server
  let realtime: Server
  beforeAll(async () => {
    redis = await startRedis()
    const dataDir = await stage.createDataDir()
    await redis.kill()
    const pair = await stage.startPair(dataDir, redis.url)
    http = pair.http
    realtime = pair.realtime
  })
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  const away = { status: 503, body: { type: '/problems/service-unavailable' } }
  const isReady = async () => (await ask(http.url, 'GET /readyz')).status === 200
  const login = () => ask(http.url, 'POST /auth/login', { body: { email: 'ann@example.com', password: '' } })

  /** The real-time process notices by itself that Redis is back, and refuses players until then. */
  const joinOnceHealed = async (email: string): Promise<PlayerLink> => {
    const token = await stage.signIn(http.url, email)
    for (;;) {
      const client = stage.connect(http.url, { token })
      await waitFor(() => client.count('welcome') > 0 || !client.isOpen())
      if (client.isOpen()) return client
      expect(await client.closed()).toMatchObject({ code: 1013 })
    }
  }

  it('both processes start, report not ready, and become ready with a claim once Redis is there', async () => {
    expect(await ask(http.url, 'GET /healthz')).toMatchObject({ status: 200 })
    const report = await ask(http.url, 'GET /readyz')
    expect(report).toMatchObject({ status: 503, body: { detail: 'Not ready: redis.' } })
    expect(http.stdout()).not.toContain('claim#')

    await redis.restart()
    await waitFor(isReady)
    await stage.claim(http)
    expect((await joinOnceHealed('early@example.com')).isOpen()).toBe(true)
  })

  it('sign-in and token checks return 503 with Retry-After, and recover without a restart', async () => {
    const token = await stage.signIn(http.url, 'ann@example.com')
    const ann = await stage.join(http.url, token)
    const ben = await stage.join(http.url, await stage.signIn(http.url, 'ben@example.com'))
    await redis.kill()

    const answers = [
      await ask(http.url, 'POST /auth/login', { body: { email: 'ann@example.com', password: '' } }),
      await ask(http.url, 'GET /auth/me', { token }),
      await ask(http.url, 'POST /auth/renew', { token }),
      await ask(http.url, 'GET /api/admin/users', { token }),
      await ask(http.url, 'POST /auth/logout', { token }),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject(away)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await ask(http.url, 'GET /readyz')).body.detail).toBe('Not ready: redis.')

    ann.send({ $case: 'ping', value: { nonce: 3 } })
    expect(await ann.next('pong')).toMatchObject({ nonce: 3 })
    ann.send({ $case: 'chat', value: { text: 'is anybody there?' } })
    expect(await ben.next('chatMessage')).toMatchObject({ text: 'is anybody there?' })
    const frames = ben.count('players')
    ann.move(1, 0.5, 1)
    await waitFor(() => ben.count('players') > frames)
    ann.command('/who', 2)
    expect(await ann.next('commandResult')).toMatchObject({ ok: true })

    const late = stage.connect(http.url, { token })
    expect(await late.next('kick')).toMatchObject({ code: 'service-unavailable', retryAfterSeconds: expect.any(Number) })
    expect(await late.closed()).toMatchObject({ code: 1013 })

    await redis.restart()
    await waitFor(isReady)
    await waitFor(async () => (await login()).status === 200)
    // It is empty after the restart: earlier tokens are refused.
    expect((await ask(http.url, 'GET /auth/me', { token })).status).toBe(401)
    expect([ann.isOpen(), ben.isOpen(), http.isRunning(), realtime.isRunning()]).toEqual([true, true, true, true])
    await joinOnceHealed('ann@example.com')
    expect(await ann.closed()).toMatchObject({ code: 4001 })
  })

  it('applies changes over HTTP to live sessions again after it is back', async () => {
    const ben = await joinOnceHealed('ben@example.com')
    const boss = await stage.signIn(http.url, administrator.email, administrator.password)
    const changed = await ask(http.url, 'PUT /api/admin/users/ben@example.com', {
      token: boss,
      body: { groups: ['player', 'builder'] },
    })
    expect(changed.status).toBe(200)
    expect((await ben.next('permissionsChanged')).groups).toEqual(['player', 'builder'])
    expect((await ask(http.url, 'DELETE /api/admin/users/ben@example.com', { token: boss })).status).toBe(204)
    await waitFor(() => !ben.isOpen())
    expect(await ben.closed()).toMatchObject({ code: 4003 })
  })

  it('resumes a session by its secret while no token can be checked', async () => {
    const cora = await stage.join(http.url, await stage.signIn(http.url, 'cora@example.com'))
    cora.terminate()
    await redis.kill()
    const back = stage.connect(http.url, { resumeToken: cora.welcome.resumeToken })
    expect(await back.next('welcome')).toMatchObject({ playerId: cora.welcome.playerId })
    await redis.restart()
  })
})
