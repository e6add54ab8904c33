import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { systemClock } from '../../../../../shared/kernel/clock.ts'
import { createSteeredClock, type SteeredClock } from '../../../../../shared/kernel/steered-clock.ts'
import type { RedisConnection } from '../../../../../shared/platform/storage/redis/redis.ts'
import { followRedisTime } from '../../../../../shared/platform/storage/redis/redis-time.ts'
import { describeEachRedis } from '../../../../support/redis/redis-suites.ts'
import { createCapturedLog } from '../../../../support/time/silent-log.ts'
import { waitFor } from '../../../../support/time/wait-for.ts'

const hourMs = 3_600_000

describeEachRedis((name, connect) => {
  let redis: RedisConnection
  let end = () => {}
  const captured = createCapturedLog()
  /** A machine whose clock is off by this much, and follows the clock of Redis. */
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

  it.each([hourMs, -hourMs])(`corrects a clock that is %d ms off by the time of ${name}`, async (offMs) => {
    // The clock is frozen, so it shows the moment of the request to Redis.
    const beforeMs = systemClock.now()
    const clock = createSteeredClock({ ...systemClock, now: () => beforeMs + offMs })
    end = followRedisTime({ redis, clock, log: captured.log })
    await waitFor(() => clock.offsetMs() !== 0)
    expect(clock.now()).toBeGreaterThanOrEqual(beforeMs)
    expect(clock.now()).toBeLessThanOrEqual(systemClock.now() + 1)
    expect(captured.lines.at(-1)).toMatchObject({ offSeconds: Math.round((beforeMs + offMs - clock.now()) / 1000) })
  })

  it(`does not change a clock that differs by less than a second from ${name}`, async () => {
    const clock = follow(300)
    await redis.ask((client) => client.ping())
    await redis.ask((client) => client.time())
    expect(clock.offsetMs()).toBe(0)
  })
})
