import { afterAll, expect, it } from '@jest/globals'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { ask } from '../support/api.ts'
import { administrator, createStage, quickConfig, type Server } from '../support/stage.ts'

const config = quickConfig
  .replace('http: { ', 'http: { trustedProxies: 1, ')
  .replace('local: { ', 'local: { requirePassword: true, ')
const home = '198.51.100.7'

describeOwnRedis('wrong passwords of one account at two HTTP processes', () => {
  const stage = createStage()
  let redis: RedisServer | undefined
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  it('are counted together, and the count survives kill -9 of a process', async () => {
    redis = await startRedis()
    const place = { DATA_DIR: await stage.createDataDir(config) }
    const start = () => stage.start({ ...place, REDIS_URL: redis?.url ?? '' }, 'infra/http.ts')
    const signIn = async ({ url }: Server, address: string, password: string) =>
      await ask(url, 'POST /auth/login', {
        body: { email: administrator.email, password },
        headers: { 'x-forwarded-for': address },
      })
    const adding = stage.launch('tools/adduser.ts', [administrator.email, administrator.password, '--groups', 'admin'], {
      ...place,
      REDIS_URL: redis.url,
    })
    expect(await adding.ended).toBe(0)
    const one = await start()
    let other = await start()
    expect(await signIn(one, home, administrator.password)).toMatchObject({ status: 200, body: { verified: true } })

    for (let at = 0; at < 30; at += 1)
      expect((await signIn(at % 2 === 0 ? one : other, `192.0.2.${at}`, 'not the password')).status).toBe(401)
    for (const server of [one, other]) {
      const refused = await signIn(server, '203.0.113.9', administrator.password)
      expect(refused).toMatchObject({ status: 429, body: { type: '/problems/too-many-requests' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    other.signal('SIGKILL')
    await other.ended
    other = await start()
    expect((await signIn(other, '203.0.113.10', administrator.password)).status).toBe(429)
    const back = await signIn(other, home, administrator.password)
    expect(back).toMatchObject({ status: 200, body: { verified: true, failed: { count: 30 } } })
    const token = String(back.body.token)
    const audit = await ask(one.url, 'GET /api/admin/audit?actor=system', { token })
    expect(audit).toMatchObject({
      status: 200,
      body: { entries: [{ action: 'account.guessed', target: administrator.email }] },
    })
  })
})
