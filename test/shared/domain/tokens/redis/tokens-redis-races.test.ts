import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createRedisTokenStore } from '../../../../../shared/domain/tokens/redis/tokens-redis.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import type { RedisConnection } from '../../../../../shared/platform/storage/redis/redis.ts'
import { connectPatiently } from '../../../../support/redis/patient-redis.ts'
import { describeRedis, openRedisForTests, type RedisServer } from '../../../../support/redis/redis.ts'
import { createRedisPrefix } from '../../../../support/redis/redis-prefix.ts'
import { listOrders, startStepped } from '../../../../support/redis/stepped-redis.ts'
import { createFixedClock } from '../../../../support/time/fixed-clock.ts'

describeRedis('an issue and a revocation in two processes, in every possible order in Redis', () => {
  let server: Pick<RedisServer, 'url' | 'stop'>
  let redis: RedisConnection
  beforeAll(async () => {
    server = await openRedisForTests()
    redis = connectPatiently(server.url, { prefix: createRedisPrefix() })
  })
  afterAll(async () => {
    await redis.close()
    await server.stop()
  })

  const clock = createFixedClock()
  const storeOn = (connection: RedisConnection) => createRedisTokenStore({ redis: connection, clock, ids: systemIds })
  const newGrant = () => ({ playerId: systemIds.uuid(), verified: true, signInId: systemIds.uuid(), signedInAt: clock.now() })
  const issueSteps = 5

  it('leave no token of the account valid, unless its issue began after the revocation', async () => {
    const revokeSteps = 6
    let [survived, refused] = [0, 0]
    for (const order of listOrders(issueSteps, revokeSteps)) {
      const grant = newGrant()
      const issue = await startStepped(redis, (stepped) => storeOn(stepped).issue(grant))
      const revoke = await startStepped(redis, (stepped) => storeOn(stepped).revokeAccount(grant.playerId))
      for (const ours of order) await (ours ? issue : revoke).step()
      const issued = await issue.finish()
      expect(await revoke.finish()).toMatchObject({ status: 'fulfilled' })
      const alive = issued.status === 'fulfilled' && (await storeOn(redis).find(issued.value)) !== undefined
      if (issued.status === 'rejected') expect(issued.reason).toMatchObject({ kind: 'unauthenticated', slug: 'invalid-token' })
      const revokeStepsBefore = order.indexOf(true)
      if (alive) expect([order, revokeStepsBefore >= 2]).toEqual([order, true])
      survived += alive ? 1 : 0
      refused += issued.status === 'rejected' ? 1 : 0
    }
    expect(survived).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  })

  it('leave no renewed token of an ended sign-in valid', async () => {
    const revokeSteps = 8
    let refused = 0
    for (const order of listOrders(issueSteps, revokeSteps)) {
      const token = await storeOn(redis).issue(newGrant())
      const record = await storeOn(redis).find(token)
      if (record === undefined) throw new Error('the token is not there')
      const renew = await startStepped(redis, (stepped) => storeOn(stepped).issue(record))
      const revoke = await startStepped(redis, (stepped) => storeOn(stepped).revoke(token))
      for (const ours of order) await (ours ? renew : revoke).step()
      const renewed = await renew.finish()
      expect(await revoke.finish()).toMatchObject({ status: 'fulfilled', value: record })
      if (renewed.status === 'fulfilled') expect([order, await storeOn(redis).find(renewed.value)]).toEqual([order, undefined])
      else expect(renewed.reason).toMatchObject({ kind: 'unauthenticated', slug: 'invalid-token' })
      refused += renewed.status === 'rejected' ? 1 : 0
    }
    expect(refused).toBeGreaterThan(0)
  })
})
