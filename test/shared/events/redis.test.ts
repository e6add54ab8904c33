import { describe, expect, it } from '@jest/globals'
import { createRedisEventBus } from '../../../shared/events/redis.ts'
import { eventBusContract } from '../../contracts/event-bus-contract.ts'
import { describeEachRedis } from '../../support/redis-suites.ts'
import { createCapturedLog, silentLog } from '../../support/silent-log.ts'
import { waitFor } from '../../support/wait-for.ts'

describeEachRedis((name, connect) => {
  eventBusContract(name, async (log) => {
    const redisHere = connect({ log })
    const redisThere = connect({ log, prefix: redisHere.prefix })
    const here = createRedisEventBus({ redis: redisHere, log })
    const there = createRedisEventBus({ redis: redisThere, log })
    return {
      here,
      there,
      close: async () => {
        await Promise.all([here.close(), there.close()])
        await Promise.all([redisHere.close(), redisThere.close()])
      },
    }
  })

  describe('what arrives', () => {
    it('drops and logs garbage without repeating it, and goes on', async () => {
      const { log, lines } = createCapturedLog()
      const redis = connect()
      const bus = createRedisEventBus({ redis, log })
      const heard: unknown[] = []
      await bus.subscribe('account-changed', (event) => void heard.push(event))
      const garbage = [
        '',
        'not json gibberish',
        'null',
        '[]',
        '{}',
        '{"playerId":1,"email":"x"}',
        '{"playerId":"gibberish"}',
        '\u0000',
      ]
      for (const text of garbage) await redis.ask((client) => client.publish(`${redis.prefix}event:account-changed`, text))
      const event = { playerId: 'p1', email: 'ann@example.com' }
      await bus.publish('account-changed', event)
      await waitFor(() => heard.length > 0)
      expect(heard).toEqual([event])
      expect(lines.filter(({ topic }) => topic === 'account-changed')).toHaveLength(garbage.length)
      expect(JSON.stringify(lines)).not.toContain('gibberish')
      await bus.close()
      await redis.close()
    })

    it('is deaf to buses of another prefix', async () => {
      const [ours, theirs] = [connect(), connect()]
      const [bus, stranger] = [ours, theirs].map((redis) => createRedisEventBus({ redis, log: silentLog }))
      const heard: unknown[] = []
      await bus?.subscribe('configs-reloaded', (event) => void heard.push(event))
      await stranger?.publish('configs-reloaded', { names: ['theirs'] })
      await bus?.publish('configs-reloaded', { names: ['ours'] })
      await waitFor(() => heard.length > 0)
      expect(heard).toEqual([{ names: ['ours'] }])
      await Promise.all([bus?.close(), stranger?.close()])
      await Promise.all([ours.close(), theirs.close()])
    })
  })
})
