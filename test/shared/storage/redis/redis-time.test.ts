import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import { createSteeredClock, type SteeredClock } from '../../../../shared/kernel/steered-clock.ts'
import type { RedisConnection } from '../../../../shared/storage/redis/redis.ts'
import { followRedisTime } from '../../../../shared/storage/redis/redis-time.ts'
import { describeEachRedis } from '../../../support/redis/redis-suites.ts'
import { createCapturedLog } from '../../../support/time/silent-log.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

const hourMs = 3_600_000

describeEachRedis((name, connect) => {
  let redis: RedisConnection
  let end = () => {}
  const captured = createCapturedLog()
  /** A machine whose clock is so far off, and that follows the Redis. */
  const follow = (offMs: number): SteeredClock => {
    const clock = createSteeredClock({ ...systemClock, now: () => systemClock.now() + offMs })
    end = followRedisTime({ redis, clock, log: captured.log })
    return clock
  }
  beforeEach(() => {
    redis = connect()
  })
  afterEach(async () => {
    end()
    await redis.close()
  })

  it.each([hourMs, -hourMs])(`puts a clock right that is %d ms off, by the time of ${name}`, async (offMs) => {
    const clock = follow(offMs)
    await waitFor(() => clock.offsetMs() !== 0)
    expect(Math.abs(clock.now() - systemClock.now())).toBeLessThan(1000)
    expect(captured.lines.at(-1)).toMatchObject({ offSeconds: offMs / 1000 })
  })

  it(`leaves a clock alone that differs by less than a second from ${name}`, async () => {
    const clock = follow(300)
    await redis.ask((client) => client.ping())
    await redis.ask((client) => client.time())
    expect(clock.offsetMs()).toBe(0)
  })
})
