import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createRedisTokenStore } from '../../../../../shared/domain/tokens/redis/tokens-redis.ts'
import type { TokenStore } from '../../../../../shared/domain/tokens/tokens.ts'
import { hashSecret, systemIds } from '../../../../../shared/kernel/ids.ts'
import { createRedisRateLimiter } from '../../../../../shared/platform/limits/redis/rate-limiter-redis.ts'
import type { RedisConnection } from '../../../../../shared/platform/storage/redis/redis.ts'
import type { RedisClient } from '../../../../../shared/platform/storage/redis/redis-client.ts'
import { connectPatiently } from '../../../../support/redis/patient-redis.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../../../support/redis/redis.ts'
import { createFixedClock, type FixedClock } from '../../../../support/time/fixed-clock.ts'

/** Every key of the server with its values, as readable text. */
const dump = async (client: RedisClient): Promise<string> => {
  const read = async (key: string) => {
    const type = await client.type(key)
    return type === 'zset' ? await client.zrange(key, '0', '-1', 'WITHSCORES') : [await client.get(key)]
  }
  const lines = await Promise.all((await client.keys('*')).map(async (key) => `${key} = ${(await read(key)).join(' ')}`))
  return lines.join('\n')
}

describeOwnRedis('the tokens in Redis', () => {
  let server: RedisServer
  let redis: RedisConnection
  let clock: FixedClock
  let store: TokenStore
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    redis = connectPatiently(server.url)
    await redis.ask((client) => client.flushall())
    clock = createFixedClock()
    store = createRedisTokenStore({ redis, clock, ids: systemIds })
  })
  afterEach(() => redis.close())

  const grant = () => ({ playerId: systemIds.uuid(), verified: true, signInId: systemIds.uuid(), signedInAt: clock.now() })
  const keyOf = (token: string) => `gatehouse:token:${hashSecret(token)}`

  it('are stored under their SHA-256 for 600,000 ms', async () => {
    const token = await store.issue(grant())
    const left = await redis.ask((client) => client.pttl(keyOf(token)))
    expect(left).toBeLessThanOrEqual(600_000)
    expect(left).toBeGreaterThan(590_000)
  })

  it('end with their key in Redis, whatever the clock says', async () => {
    const token = await store.issue(grant())
    await redis.ask((client) => client.pexpire(keyOf(token), 0))
    expect(await store.find(token)).toBeUndefined()
  })

  it('appear in no key and no value as plain text', async () => {
    const tokens = [await store.issue(grant()), await store.issue(grant()), await store.issue(grant())]
    await store.putOnce('the state of an OAuth sign-in', 'value', 600)
    await store.revoke(tokens[0] ?? '')
    await store.revokeAccount((await store.find(tokens[1] ?? ''))?.playerId ?? '')
    const limiter = createRedisRateLimiter({ redis })
    for (const token of tokens) await limiter.consume('requests', token, { max: 1, perSeconds: 60 })
    const held = await redis.ask(dump)
    expect(held).toContain(hashSecret(tokens[2] ?? ''))
    for (const secret of [...tokens, ...tokens.map((token) => token.replaceAll('-', '')), 'the state of'])
      expect(held).not.toContain(secret)
  })

  it('have an expiry on every key', async () => {
    const token = await store.issue(grant())
    await store.putOnce('state', 'value', 600)
    await store.revoke(token)
    await store.revokeAccount(systemIds.uuid())
    await createRedisRateLimiter({ redis }).consume('requests', 'key', { max: 1, perSeconds: 60 })
    const keys = await redis.ask((client) => client.keys('*'))
    expect(keys.length).toBeGreaterThan(4)
    for (const key of keys) expect([key, await redis.ask((client) => client.pttl(key))]).toEqual([key, expect.any(Number)])
    for (const key of keys) expect(await redis.ask((client) => client.pttl(key))).toBeGreaterThan(0)
  })

  it('are read with one GET, and with none for other texts', async () => {
    const token = await store.issue(grant())
    await redis.ask((client) => client.config('RESETSTAT'))
    for (let time = 0; time < 10; time++) await store.find(token)
    for (const text of ['', 'x', token.slice(1), `${token}0`, token.replace(/^.{14}4/, (start) => `${start.slice(0, -1)}1`)])
      await store.find(text)
    const stats = await redis.ask((client) => client.info('commandstats'))
    expect(stats).toMatch(/cmdstat_get:calls=10,/)
    expect(stats.match(/cmdstat_(?!config|info)[^:]+/g)).toEqual(['cmdstat_get'])
  })

  it.each([
    '',
    'x',
    'null',
    '{}',
    '[]',
    '[1]',
    '[2,"p",true,"s",1,9e15]',
    '[1,"p",1,"s",1,9e15]',
    '[1,"p",true,"s","1",9e15]',
    '[1,"p",true,"s",1,null]',
  ])('treat the foreign value %j as no token', async (value) => {
    const token = systemIds.uuid()
    await redis.ask((client) => client.set(keyOf(token), value))
    expect(await store.find(token)).toBeUndefined()
    expect(await store.revoke(token)).toBeUndefined()
  })

  it('are removed from the index of an account and the revocations by later writes', async () => {
    const { playerId } = grant()
    for (let round = 0; round < 5; round++) {
      for (let time = 0; time < 10; time++) {
        const token = await store.issue({ ...grant(), playerId })
        if (time === 0) await store.revoke(token)
      }
      clock.advance(700_000)
    }
    expect(await redis.ask((client) => client.zcard(`gatehouse:account:{${playerId}}:tokens`))).toBeLessThanOrEqual(10)
    expect(await redis.ask((client) => client.zcard('gatehouse:revocations'))).toBe(1)
  })

  describe('with a different clock', () => {
    it('end with their account in a process whose clock is a minute behind', async () => {
      const behind = createFixedClock(clock.now() - 59_000)
      const other = createRedisTokenStore({ redis, clock: behind, ids: systemIds })
      const { playerId, ...rest } = grant()
      const token = await other.issue({ ...rest, playerId, signedInAt: behind.now() })
      behind.advance(599_000)
      clock.advance(599_000)
      await store.issue({ ...grant(), playerId })
      await store.revokeAccount(playerId)
      expect(await other.find(token)).toBeUndefined()
    })
  })
})
