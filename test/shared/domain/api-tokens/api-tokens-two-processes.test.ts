import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createApiTokens, joinApiTokens } from '../../../../shared/domain/api-tokens/api-tokens.ts'
import { createStoreAuditLog } from '../../../../shared/domain/audit/store-audit-log.ts'
import { createRedisTokenStore } from '../../../../shared/domain/tokens/redis/tokens-redis.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../../shared/platform/events/memory-events.ts'
import { createDynamoStore } from '../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import type { RedisConnection } from '../../../../shared/platform/storage/redis/redis.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../support/dynamodb/dynamodb.ts'
import { connectPatiently } from '../../../support/redis/patient-redis.ts'
import { describeRedis, openRedisForTests, type RedisServer } from '../../../support/redis/redis.ts'
import { createRedisPrefix } from '../../../support/redis/redis-prefix.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

const actor = { email: 'ann@example.com', via: 'http', requestId: 'r' } as const
const target = actor.email

describeRedis('API tokens of two processes', () => {
  describeDynamo('on DynamoDB and Redis', () => {
    let server: DynamoServer
    let dynamo: Awaited<ReturnType<typeof openDynamo>>
    let redisServer: Pick<RedisServer, 'url' | 'stop'>
    let redis: RedisConnection
    beforeAll(async () => {
      server = await openDynamoForTests()
      dynamo = await openDynamo(server.endpoint)
      redisServer = await openRedisForTests()
      redis = connectPatiently(redisServer.url, { prefix: createRedisPrefix() })
    })
    afterAll(async () => {
      await redis.close()
      await redisServer.stop()
      dynamo.close()
      await server.stop()
    })

    const clock = createFixedClock()
    const startProcess = () => {
      const store = createDynamoStore({ dynamo, ids: systemIds })
      const signInTokens = createRedisTokenStore({ redis, clock, ids: systemIds })
      const audit = createStoreAuditLog(store)
      const apiTokens = createApiTokens({
        store,
        tokens: signInTokens,
        events: createMemoryEventBus({ log: silentLog }),
        audit,
        emailOf: async () => actor.email,
        clock,
        ids: systemIds,
        log: silentLog,
      })
      return { apiTokens, tokens: joinApiTokens(signInTokens, apiTokens), audit }
    }
    const open = () => {
      const change = { playerId: systemIds.uuid(), actor, target }
      return { near: startProcess(), far: startProcess(), change }
    }

    it('work in both, and a deletion in one ends them in the other within a second', async () => {
      const { near, far, change } = open()
      const { token, created } = await near.apiTokens.create(change, { name: 'bot', permissions: ['zone.build'] })
      for (const { tokens } of [near, far])
        expect(await tokens.find(token)).toMatchObject({ playerId: change.playerId, scope: ['zone.build'], verified: true })
      const before = clock.now()
      expect(await far.apiTokens.end(change, created.id)).toBe(true)
      expect(await far.tokens.find(token)).toBeUndefined()
      clock.advance(1_000)
      expect(await near.tokens.find(token)).toBeUndefined()
      expect(await near.tokens.revokedSince(before - 1)).toEqual(
        expect.arrayContaining([expect.objectContaining({ playerId: change.playerId, signInId: created.id })]),
      )
      expect(await near.apiTokens.end(change, created.id)).toBe(false)
    })

    it('end all with their account, whichever process created them', async () => {
      const { near, far, change } = open()
      const made = await Promise.all(
        [near, far, near, far].map(({ apiTokens }) => apiTokens.create(change, { name: 'bot', permissions: ['*'] })),
      )
      expect(await near.apiTokens.list(change.playerId)).toHaveLength(4)
      await near.tokens.endAccount(change.playerId)
      for (const { token } of made) expect(await startProcess().tokens.find(token)).toBeUndefined()
      expect(await far.apiTokens.list(change.playerId)).toEqual([])
    })

    it('note their first use of the day once, and both answer', async () => {
      const { near, far, change } = open()
      const { token, created } = await near.apiTokens.create(change, { name: 'bot', permissions: ['*'] })
      clock.advance(25 * 60 * 60_000)
      const found = await Promise.all([near, far, near, far].map(({ tokens }) => tokens.find(token)))
      expect(found.every((grant) => grant?.signInId === created.id)).toBe(true)
      const { entries } = await near.audit.listEntries({ limit: 200, target })
      const uses = entries.filter(({ action, after }) => action === 'token.use' && JSON.stringify(after).includes(created.id))
      expect(uses).toHaveLength(1)
    })
  })
})
