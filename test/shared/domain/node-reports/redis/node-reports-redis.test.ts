import { expect, it } from '@jest/globals'
import { createRedisNodeReports } from '../../../../../shared/domain/node-reports/redis/node-reports-redis.ts'
import { nodeReportsContract } from '../../../../contracts/node-reports-contract.ts'
import { describeEachRedis } from '../../../../support/redis/redis-suites.ts'

describeEachRedis((name, connect) => {
  nodeReportsContract(name, async () => {
    const redis = connect()
    return { reports: createRedisNodeReports({ redis }), close: () => redis.close() }
  })

  it('forgets a node that sends no reports, and foreign values', async () => {
    const redis = connect()
    const reports = createRedisNodeReports({ redis })
    const key = `${redis.prefix}reports:players`
    await reports.tell('players', 'one', 'a')
    await redis.ask((client) => client.hset(key, { old: '1000 b', odd: 'c' }))
    expect(await reports.list('players')).toEqual([{ nodeId: 'one', text: 'a' }])
    expect(await redis.ask((client) => client.hkeys(key))).toEqual(['one'])
    await redis.close()
  })
})
