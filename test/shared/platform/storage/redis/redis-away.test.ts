import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createRedisTokenStore } from '../../../../../shared/domain/tokens/redis/tokens-redis.ts'
import type { TokenStore } from '../../../../../shared/domain/tokens/tokens.ts'
import { systemClock } from '../../../../../shared/kernel/clock.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import type { EventBus } from '../../../../../shared/platform/events/event-bus.ts'
import { createRedisEventBus } from '../../../../../shared/platform/events/redis/redis-events.ts'
import type { RateLimiter } from '../../../../../shared/platform/limits/rate-limiter.ts'
import { createRedisRateLimiter } from '../../../../../shared/platform/limits/redis/rate-limiter-redis.ts'
import type { RedisConnection } from '../../../../../shared/platform/storage/redis/redis.ts'
import { connectPatiently } from '../../../../support/redis/patient-redis.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../../../support/redis/redis.ts'
import { silentLog } from '../../../../support/time/silent-log.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

const unavailable = expect.objectContaining({ kind: 'unavailable', slug: 'service-unavailable', retryAfterSeconds: 1 })
const limit = { max: 100, perSeconds: 60 }
const grant = { playerId: 'p1', verified: true, signInId: 's1', signedInAt: systemClock.now() }

for (const { name, options } of [
  { name: 'single', options: {} },
  { name: 'in cluster mode', options: { cluster: true } },
]) {
  describeOwnRedis(`during an outage of a Redis ${name}`, () => {
    let server: RedisServer
    let redis: RedisConnection
    let tokens: TokenStore
    let limiter: RateLimiter
    let bus: EventBus
    beforeAll(async () => {
      server = await startRedis(options)
    })
    afterAll(() => server.stop())
    beforeEach(() => {
      redis = connectPatiently(server.url)
      tokens = createRedisTokenStore({ redis, clock: systemClock, ids: systemIds })
      limiter = createRedisRateLimiter({ redis })
      bus = createRedisEventBus({ redis, log: silentLog })
    })
    afterEach(async () => {
      await bus.close()
      await redis.close()
    })
    const isBack = () =>
      tokens.ping().then(
        () => true,
        () => false,
      )

    it('every method of the token store throws unavailable, and recovers with the same client', async () => {
      const token = await tokens.issue(grant)
      await server.kill()
      const attempts = [
        () => tokens.issue(grant),
        () => tokens.find(token),
        () => tokens.revoke(token),
        () => tokens.revokeAccount('p1'),
        () => tokens.revokedSince(0),
        () => tokens.putOnce('key', 'value', 60),
        () => tokens.findOnce('key'),
        () => tokens.takeOnce('key'),
        () => tokens.ping(),
      ]
      for (const attempt of attempts) await expect(attempt()).rejects.toEqual(unavailable)
      expect(await tokens.find('malformed')).toBeUndefined()
      await server.restart()
      await waitFor(isBack)
      expect(await tokens.find(token)).toBeUndefined()
      expect(await tokens.find(await tokens.issue(grant))).toMatchObject(grant)
    })

    it('the limiter throws unavailable, admits no request, and counts again afterwards', async () => {
      expect(await limiter.consume('bucket', 'key', limit)).toMatchObject({ allowed: true })
      await server.kill()
      for (let time = 0; time < 3; time++) await expect(limiter.consume('bucket', 'key', limit)).rejects.toEqual(unavailable)
      await server.restart()
      await waitFor(isBack)
      expect(await limiter.consume('bucket', 'key', limit)).toMatchObject({ allowed: true })
    })

    it('a publish is lost without an error, and subscriptions recover with Redis', async () => {
      const received: string[] = []
      await bus.subscribe('sign-in-ended', ({ signInId }) => void received.push(signInId))
      for (const round of ['first', 'second']) {
        await server.kill()
        await expect(bus.publish('sign-in-ended', { playerId: 'p1', signInId: 'lost' })).resolves.toBeUndefined()
        await server.restart()
        await waitFor(async () => {
          await bus.publish('sign-in-ended', { playerId: 'p1', signInId: round })
          return received.includes(round)
        })
      }
      expect(received).not.toContain('lost')
    })

    it('a subscription that begins then resolves when Redis is back, and delivers', async () => {
      await tokens.ping()
      await server.kill()
      const received: unknown[] = []
      const subscribed = bus.subscribe('configs-reloaded', (event) => void received.push(event))
      await expect(tokens.ping()).rejects.toEqual(unavailable)
      await server.restart()
      await subscribed
      await waitFor(isBack)
      await bus.publish('configs-reloaded', { names: ['groups.yaml'] })
      await waitFor(() => received.length > 0)
    })

    it('a subscription that still waits is refused when the bus is closed', async () => {
      await tokens.ping()
      await server.kill()
      const subscribed = expect(bus.subscribe('configs-reloaded', () => undefined)).rejects.toEqual(unavailable)
      await expect(tokens.ping()).rejects.toEqual(unavailable)
      await bus.close()
      await subscribed
      await server.restart()
    })
  })
}
