import { describe, expect, it } from '@jest/globals'
import { createRequestLimits } from '../../../../functions/http/request/limit-requests.ts'
import { createMemoryRateLimiter } from '../../../../shared/platform/limits/rate-limiter.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const createGate = () => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const create = (max: number) => {
  const clock = createFixedClock()
  const shared = createMemoryRateLimiter()
  const reads: number[] = []
  let window = 0
  const endWindow = (): void => {
    window += 1
  }
  /** Runs between an answer of the shared count and its arrival. */
  let onWay = async (): Promise<void> => undefined
  const limiter: typeof shared = {
    ...shared,
    consume: async (bucket, key, limit, uses = 1) => {
      reads.push(uses)
      const [decision, arrive] = [await shared.consume(bucket, `${key} ${window}`, limit, uses), onWay]
      await arrive()
      return decision
    },
  }
  /** Delays the next answer: it resolves `arrived`, and continues after `release`. */
  const holdNext = () => {
    const [arrived, released] = [createGate(), createGate()]
    onWay = () => {
      onWay = async () => undefined
      arrived.open()
      return released.opened
    }
    return { arrived: arrived.opened, release: released.open }
  }
  const under = (requestsPerMinutePerToken: number) => ({ server: { http: { rateLimits: { requestsPerMinutePerToken } } } })
  const configs = createFixedConfigs(under(max))
  const setMax = (next: number): void => configs.set(under(next))
  return {
    clock,
    asked: reads,
    setMax,
    holdNext,
    endWindow,
    createLimit: (options = {}) => createRequestLimits({ limiter, configs, clock }, options).ofSignIn,
  }
}

const countAdmitted = async (limit: (token: string) => Promise<void>, requests: number): Promise<number> => {
  const results = await Promise.allSettled(Array.from({ length: requests }, () => limit('token')))
  return results.filter(({ status }) => status === 'fulfilled').length
}

describe('createRequestLimits', () => {
  it.each([1, 7, 100, 600, 601, 20_000])('admits exactly %i concurrent requests of one process', async (max) => {
    expect(await countAdmitted(create(max).createLimit(), max + 50)).toBe(max)
  })

  it.each([
    [600, 25],
    [20_000, 1000],
  ])('reads the shared count once for many requests: under a limit of %i for %i', async (max, block) => {
    const { asked, createLimit } = create(max)
    const limit = createLimit()
    for (let request = 0; request < block * 4; request++) await limit('token')
    expect(asked).toEqual([block, block, block, block])
  })

  it('never admits more than the limit across processes', async () => {
    const { createLimit } = create(600)
    const processes = [createLimit(), createLimit(), createLimit()]
    const admitted = await Promise.all(processes.map((limit) => countAdmitted(limit, 400)))
    expect(admitted.reduce((sum, count) => sum + count)).toBe(600)
  })

  it.each([
    [true, 200, 3],
    [false, 24, 25],
  ])('lets many processes use the whole limit (one request at a time: %p)', async (isOneAtATime, processes, each) => {
    const { createLimit } = create(600)
    const all = Array.from({ length: processes }, () => createLimit({ isOneAtATime }))
    const admitted = await Promise.all(all.map((limit) => countAdmitted(limit, each)))
    expect(admitted).toEqual(all.map(() => each))
    expect(await countAdmitted(createLimit(), 1)).toBe(0)
  })

  it('gives the remaining requests one by one to a process without a block', async () => {
    const { createLimit } = create(600)
    const [one, other] = [createLimit({ isOneAtATime: true }), createLimit()]
    expect(await countAdmitted(one, 590)).toBe(590)
    expect(await countAdmitted(other, 20)).toBe(10)
  })

  it('reports how long to wait, and does not read the shared count until then', async () => {
    const { asked, clock, createLimit } = create(1)
    const limit = createLimit()
    await limit('token')
    await expect(limit('token')).rejects.toMatchObject({ slug: 'too-many-requests', retryAfterSeconds: 60 })
    const before = asked.length
    clock.advance(20_000)
    await expect(limit('token')).rejects.toMatchObject({ retryAfterSeconds: 40 })
    expect(asked).toHaveLength(before)
  })

  it('refuses for at most a second while a denied block of another process is not returned', async () => {
    const { clock, createLimit, holdNext } = create(600)
    const [one, other] = [createLimit(), createLimit({ isOneAtATime: true })]
    expect(await countAdmitted(other, 590)).toBe(590)
    const denied = holdNext()
    const pending = one('token')
    // The block of 25 is in the shared count and was denied, but its process does not know yet.
    await denied.arrived
    await expect(other('token')).rejects.toMatchObject({ slug: 'too-many-requests', retryAfterSeconds: 60 })
    denied.release()
    await pending
    clock.advance(999)
    await expect(other('token')).rejects.toMatchObject({ slug: 'too-many-requests' })
    clock.advance(1)
    // Of the ten remaining requests one is used, and one was lost by the refusal.
    expect(await countAdmitted(other, 20)).toBe(8)
  })

  it('reads the shared count once a second while other processes hold all blocks', async () => {
    const { asked, clock, createLimit } = create(600)
    const limit = createLimit()
    expect(await countAdmitted(limit, 601)).toBe(600)
    const before = asked.length
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await countAdmitted(limit, 100)).toBe(0)
      clock.advance(1000)
    }
    expect(asked.slice(before)).toEqual([1, 1, 1, 1])
  })

  it('takes blocks again when a new window begins earlier than expected', async () => {
    const { asked, clock, createLimit, endWindow } = create(600)
    const limit = createLimit()
    expect(await countAdmitted(limit, 601)).toBe(600)
    const before = asked.length
    clock.advance(59_500)
    endWindow()
    expect(await countAdmitted(limit, 10)).toBe(10)
    expect(asked.slice(before)).toEqual([1, 25])
  })

  it('counts only the requests used when the limit is lowered', async () => {
    const { setMax, createLimit } = create(20_000)
    const limit = createLimit()
    for (let request = 0; request < 3; request++) await limit('token')
    setMax(5)
    expect(await countAdmitted(limit, 10)).toBe(2)
  })

  it('returns nothing to the shared count when the window may have ended', async () => {
    const { clock, setMax, createLimit } = create(20_000)
    const limit = createLimit()
    await limit('token')
    clock.advance(59_000)
    setMax(5)
    // The block of 1,000 still counts: the shared window may have ended, and a return would raise the next window.
    expect(await countAdmitted(limit, 10)).toBe(0)
  })

  it('counts each token separately', async () => {
    const limit = create(1).createLimit()
    await limit('one')
    await expect(limit('two')).resolves.toBeUndefined()
  })

  it('removes expired sign-ins at most once in five seconds, however many are new', async () => {
    const { clock, createLimit } = create(1)
    const limit = createLimit()
    for (let signIn = 0; signIn < 10_000; signIn++) await limit(`old ${signIn}`)
    const { monotonic } = clock
    let reads = 0
    clock.monotonic = () => {
      reads += 1
      return monotonic()
    }
    // Each check of a sign-in reads the clock once.
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
    // All had expired and are gone.
    clock.advance(5000)
    expect(await readsOf(some('last'))).toBeLessThan(1000)
  })
})
