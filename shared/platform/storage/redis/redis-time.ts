import type { Log } from '../../../kernel/log.ts'
import type { SteeredClock } from '../../../kernel/steered-clock.ts'
import type { RedisConnection } from './redis.ts'

/** Clocks with NTP differ by far less. Smaller differences are ignored, because stored times tolerate a second. */
const toleratedMs = 1000
const askEveryMs = 10_000

/** How far Redis is ahead of the clock, with an uncertainty of half the round trip. */
const measure = async (redis: Pick<RedisConnection, 'ask'>, clock: SteeredClock) => {
  const startedMs = clock.now()
  const [seconds, microseconds] = await redis.ask((client) => client.time())
  const endedMs = clock.now()
  const aheadMs = Number(seconds) * 1000 + Number(microseconds) / 1000 - (startedMs + endedMs) / 2
  return { aheadMs, uncertainMs: Math.abs(endedMs - startedMs) / 2 }
}

/**
 * Corrects the clock of this process by the clock of Redis, which all processes share: with every connection, and every ten seconds.
 * Ignores differences of up to a second. Returns a function that ends this.
 */
export const followRedisTime = ({
  redis,
  clock,
  log,
}: {
  readonly redis: Pick<RedisConnection, 'ask' | 'client'>
  readonly clock: SteeredClock
  readonly log: Log
}): (() => void) => {
  const follow = async (): Promise<void> => {
    const { aheadMs, uncertainMs } = await measure(redis, clock)
    if (Math.abs(aheadMs) <= toleratedMs + uncertainMs) return
    clock.steer(clock.offsetMs() + aheadMs)
    const offSeconds = -Math.round(clock.offsetMs() / 1000)
    log.warn(
      { offSeconds },
      'the clock of this machine differs from that of Redis, which is used instead; synchronize machines with NTP',
    )
  }
  // Outages of Redis are logged elsewhere. The next connection repeats this.
  let isAsking = false
  const attempt = (): void => {
    if (isAsking) return
    isAsking = true
    void follow()
      .catch(() => undefined)
      .finally(() => {
        isAsking = false
      })
  }
  redis.client.on('ready', attempt)
  const timer = setInterval(attempt, askEveryMs).unref()
  return () => {
    clearInterval(timer)
    redis.client.off('ready', attempt)
  }
}
