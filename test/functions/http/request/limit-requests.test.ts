import { describe, expect, it } from '@jest/globals'
import { createLimitRequests } from '../../../../functions/http/request/limit-requests.ts'
import { createMemoryRateLimiter } from '../../../../shared/limits/rate-limiter-memory.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const create = (max: number) => {
  const clock = createFixedClock()
  const shared = createMemoryRateLimiter()
  const asked: number[] = []
  const limiter: typeof shared = {
    ...shared,
    consume: (bucket, key, limit, uses = 1) => {
      asked.push(uses)
      return shared.consume(bucket, key, limit, uses)
    },
  }
  const configs = createFixedConfigs({ server: { http: { rateLimits: { requestsPerMinutePerToken: max } } } })
  return { clock, asked, createLimit: () => createLimitRequests({ limiter, configs, clock }) }
}

const countAdmitted = async (limit: (token: string) => Promise<void>, requests: number): Promise<number> => {
  const results = await Promise.allSettled(Array.from({ length: requests }, () => limit('token')))
  return results.filter(({ status }) => status === 'fulfilled').length
}

describe('createLimitRequests', () => {
  it.each([1, 7, 100, 600, 601, 20_000])('admits exactly %i requests of one process, all at once', async (max) => {
    expect(await countAdmitted(create(max).createLimit(), max + 50)).toBe(max)
  })

  it.each([
    [600, 25],
    [20_000, 1000],
  ])('asks the shared count once for many requests: under a limit of %i for %i', async (max, block) => {
    const { asked, createLimit } = create(max)
    const limit = createLimit()
    for (let request = 0; request < block * 4; request++) await limit('token')
    expect(asked).toEqual([block, block, block, block])
  })

  it('never admits more than the limit to several processes together', async () => {
    const { createLimit } = create(600)
    const processes = [createLimit(), createLimit(), createLimit()]
    const admitted = await Promise.all(processes.map((limit) => countAdmitted(limit, 400)))
    expect(admitted.reduce((sum, count) => sum + count)).toBe(600)
  })

  it('says how long to wait, and asks nobody until then', async () => {
    const { asked, clock, createLimit } = create(1)
    const limit = createLimit()
    await limit('token')
    await expect(limit('token')).rejects.toMatchObject({ slug: 'too-many-requests', retryAfterSeconds: 60 })
    const before = asked.length
    clock.advance(20_000)
    await expect(limit('token')).rejects.toMatchObject({ retryAfterSeconds: 40 })
    expect(asked).toHaveLength(before)
  })

  it('counts tokens apart', async () => {
    const limit = create(1).createLimit()
    await limit('one')
    await expect(limit('two')).resolves.toBeUndefined()
  })

  it('looks for sign-ins to forget once in five seconds at most, however many are new', async () => {
    const { clock, createLimit } = create(1)
    const limit = createLimit()
    for (let signIn = 0; signIn < 10_000; signIn++) await limit(`old ${signIn}`)
    const { monotonic } = clock
    let reads = 0
    clock.monotonic = () => {
      reads += 1
      return monotonic()
    }
    // Each sign-in that is looked at costs a reading of the clock.
    const readsOf = async (names: readonly string[]): Promise<number> => {
      reads = 0
      for (const name of names) await limit(name)
      return reads
    }
    const some = (name: string) => Array.from({ length: 100 }, (_, index) => `${name} ${index}`)
    expect(await readsOf(['first'])).toBeGreaterThan(10_000)
    expect(await readsOf(some('soon'))).toBeLessThan(1000)
    clock.advance(60_000)
    expect(await readsOf(['later'])).toBeGreaterThan(10_000)
    // All were over and are gone.
    clock.advance(5000)
    expect(await readsOf(some('last'))).toBeLessThan(1000)
  })
})
