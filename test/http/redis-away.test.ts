import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createRedisTokenStore } from '../../shared/domain/tokens/redis/tokens-redis.ts'
import { systemClock } from '../../shared/kernel/clock.ts'
import { systemIds } from '../../shared/kernel/ids.ts'
import { createRedisRateLimiter } from '../../shared/platform/limits/redis/rate-limiter-redis.ts'
import { createRedis, type RedisConnection } from '../../shared/platform/storage/redis/redis.ts'
import { createReadiness } from '../../shared/services/readiness.ts'
import { findFreePort } from '../support/processes/free-port.ts'
import { silentLog } from '../support/time/silent-log.ts'
import { bothDoors } from './doors.ts'

const someToken = systemIds.uuid()

describe.each(bothDoors)('the API without Redis, through %s', (_name, openDoor) => {
  let redis: RedisConnection
  beforeAll(async () => {
    redis = createRedis({ url: `redis://127.0.0.1:${await findFreePort()}`, log: silentLog, ids: systemIds })
  })
  afterAll(() => redis.close())

  const open = () => {
    const tokens = createRedisTokenStore({ redis, clock: systemClock, ids: systemIds })
    const readiness = createReadiness({
      probes: [{ name: 'redis', neededFor: 'tokens', probe: () => tokens.ping(), timeoutMs: 5000 }],
    })
    return openDoor({ deps: { tokens, limiter: createRedisRateLimiter({ redis }), readiness } })
  }

  it.each(['/auth/me', '/api/admin/users'])('%s answers 503 with Retry-After and authorizes no request', async (path) => {
    const { get } = await open()
    const answer = await get(path, { authorization: `Bearer ${someToken}` })
    expect(answer).toMatchObject({ status: 503, body: { type: '/problems/service-unavailable' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|redis:/)
  })

  it('logs the outage with the request id', async () => {
    const { get, lines } = await open()
    await get('/auth/me', { authorization: `Bearer ${someToken}`, 'x-request-id': 'away' })
    expect(lines).toContainEqual(expect.objectContaining({ level: 40, requestId: 'away', slug: 'service-unavailable' }))
  })

  it('is alive but not ready, and names the dependency', async () => {
    const { get } = await open()
    expect((await get('/healthz')).status).toBe(200)
    const answer = await get('/readyz')
    expect(answer).toMatchObject({
      status: 503,
      body: { type: '/problems/service-unavailable', ready: false, dependencies: [{ name: 'redis', ok: false }] },
    })
    expect(answer.headers['retry-after']).toBeDefined()
  })
})
