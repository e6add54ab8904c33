import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { RateLimiter } from '../../shared/platform/limits/rate-limiter.ts'
import { waitFor } from '../support/time/wait-for.ts'

/** Opens a limiter that has counted nothing yet, and says how to close it. */
type OpenRateLimiter = () => Promise<{ readonly limiter: RateLimiter; readonly close: () => Promise<void> }>

/** What every RateLimiter promises. */
export const rateLimiterContract = (name: string, open: OpenRateLimiter) => {
  describe(`RateLimiter on ${name}`, () => {
    let limiter: RateLimiter
    let close: () => Promise<void>
    beforeEach(async () => {
      const opened = await open()
      limiter = opened.limiter
      close = opened.close
    })
    afterEach(() => close())

    it('allows exactly the maximum of a window, then says how long to wait', async () => {
      const limit = { max: 3, perSeconds: 60 }
      for (let use = 0; use < 3; use++) expect(await limiter.consume('bucket', 'key', limit)).toMatchObject({ allowed: true })
      const refusal = await limiter.consume('bucket', 'key', limit)
      expect(refusal).toEqual({ allowed: false, retryAfterSeconds: expect.any(Number) })
      const seconds = refusal.allowed ? 0 : refusal.retryAfterSeconds
      expect(Number.isInteger(seconds)).toBe(true)
      expect(seconds).toBeGreaterThan(50)
      expect(seconds).toBeLessThanOrEqual(60)
    })

    it('lets exactly the maximum through of a hundred at once', async () => {
      const limit = { max: 10, perSeconds: 60 }
      const decisions = await Promise.all(Array.from({ length: 100 }, () => limiter.consume('bucket', 'key', limit)))
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10)
    })

    it('counts several uses at once, and says when the window ends', async () => {
      const limit = { max: 10, perSeconds: 60 }
      expect(await limiter.consume('bucket', 'key', limit, 8)).toMatchObject({ allowed: true })
      const decision = await limiter.consume('bucket', 'key', limit, 2)
      expect(decision).toEqual({ allowed: true, windowMs: expect.any(Number) })
      const windowMs = decision.allowed ? decision.windowMs : 0
      expect(windowMs).toBeGreaterThan(50_000)
      expect(windowMs).toBeLessThanOrEqual(60_000)
      expect(await limiter.consume('bucket', 'key', limit, 1)).toMatchObject({ allowed: false })
    })

    it('takes uses back in the window that they were counted in', async () => {
      await limiter.consume('bucket', 'key', { max: 1000, perSeconds: 60 }, 500)
      expect(await limiter.consume('bucket', 'key', { max: 5, perSeconds: 60 }, -498)).toMatchObject({ allowed: true })
      expect(await limiter.consume('bucket', 'key', { max: 5, perSeconds: 60 }, 3)).toMatchObject({ allowed: true })
      expect(await limiter.consume('bucket', 'key', { max: 5, perSeconds: 60 })).toMatchObject({ allowed: false })
    })

    it('counts keys and buckets apart', async () => {
      const limit = { max: 1, perSeconds: 60 }
      await limiter.consume('bucket', 'key', limit)
      expect(await limiter.consume('bucket', 'other', limit)).toMatchObject({ allowed: true })
      expect(await limiter.consume('other', 'key', limit)).toMatchObject({ allowed: true })
      expect(await limiter.consume('bucket', 'key', limit)).toMatchObject({ allowed: false })
    })

    it('begins anew when the window ends, which refused uses do not put off', async () => {
      const limit = { max: 1, perSeconds: 1 }
      expect(await limiter.consume('bucket', 'key', limit)).toMatchObject({ allowed: true })
      // On a busy machine, the window may end before the second use.
      await waitFor(async () => {
        const decision = await limiter.consume('bucket', 'key', limit)
        if (!decision.allowed) expect(decision.retryAfterSeconds).toBe(1)
        return !decision.allowed
      }, 30_000)
      await waitFor(async () => (await limiter.consume('bucket', 'key', limit)).allowed)
    })

    it('takes a changed maximum at once and keeps the count', async () => {
      await limiter.consume('bucket', 'key', { max: 2, perSeconds: 60 })
      expect(await limiter.consume('bucket', 'key', { max: 1, perSeconds: 60 })).toMatchObject({ allowed: false })
      expect(await limiter.consume('bucket', 'key', { max: 3, perSeconds: 60 })).toMatchObject({ allowed: true })
    })

    it('takes keys of any text and the largest maximum', async () => {
      const limit = { max: 1_000_000, perSeconds: 60 }
      for (const key of ['', '::1', 'a b\r\nc', '{tag}', '漢字', 'x'.repeat(10_000)])
        expect(await limiter.consume('bucket', key, limit)).toMatchObject({ allowed: true })
    })
  })
}
