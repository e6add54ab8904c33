import { expect, it } from '@jest/globals'
import { createRedisEventBus } from '../../../../../shared/platform/events/redis/redis-events.ts'
import { connectPatiently } from '../../../../support/redis/patient-redis.ts'
import { describeOwnRedis, startRedis } from '../../../../support/redis/redis.ts'
import { createRedisPrefix } from '../../../../support/redis/redis-prefix.ts'
import { createCapturedLog } from '../../../../support/time/silent-log.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

describeOwnRedis('events of a process during an outage of Redis', () => {
  it('cost a log line for the first lost one of a topic, and one with their number afterwards', async () => {
    const server = await startRedis()
    const { log, lines } = createCapturedLog()
    const redis = connectPatiently(server.url, { prefix: createRedisPrefix() })
    const bus = createRedisEventBus({ redis, log })
    const say = () => bus.publish('zones-changed', { world: 'default', zoneId: 'z1' })
    try {
      await say()
      expect(lines).toEqual([])
      await server.kill()
      for (let at = 0; at < 30; at += 1) await say()
      expect(lines).toMatchObject([{ topic: 'zones-changed', msg: expect.stringContaining('lost') }])
      await server.restart()
      await waitFor(async () => {
        await say()
        return lines.length > 1
      })
      const { events } = lines[1] ?? {}
      expect(lines).toHaveLength(2)
      expect(events).toBeGreaterThanOrEqual(30)
    } finally {
      await bus.close()
      await redis.close()
      await server.stop()
    }
  })
})
