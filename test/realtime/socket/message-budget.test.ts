import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createTokenBucket, takeTokens } from '../../../realtime/socket/message-budget.ts'

const limits = { messagesPerSecond: 60, messageBurst: 120 }

describe('a budget of messages', () => {
  it('starts at its burst, never exceeds it, and does not charge for a refused message', () => {
    const bucket = createTokenBucket(limits, 0, 0)
    expect([
      takeTokens(bucket, limits, 121, 0, 0),
      takeTokens(bucket, limits, 120, 0, 0),
      takeTokens(bucket, limits, 1, 0, 0),
    ]).toEqual([false, true, false])
    expect([takeTokens(bucket, limits, 121, 1e9, 0), takeTokens(bucket, limits, 120, 1e9, 0)]).toEqual([false, true])
  })

  it('never refuses a client at exactly the rate, whatever the fractions of the clock', () => {
    const rate = fc.integer({ min: 1, max: 10_000 })
    fc.assert(
      fc.property(rate, fc.double({ min: 0, max: 1e6, noNaN: true }), (messagesPerSecond, startMs) => {
        const evenly = { messagesPerSecond, messageBurst: messagesPerSecond }
        const bucket = createTokenBucket(evenly, startMs, 0)
        for (let i = 1; i <= 200; i += 1)
          expect(takeTokens(bucket, evenly, 1, startMs + (i * 1000) / messagesPerSecond, 0)).toBe(true)
      }),
    )
  })

  it('allows exactly its limits to the millisecond, however often it is used', () => {
    const waits = fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { minLength: 100, maxLength: 500 })
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 20 }), (everyMs, cost) => {
        const bucket = createTokenBucket(limits, 0.9, 0)
        let nowMs = 0.9
        let paid = 0
        for (const waitMs of [0, ...everyMs]) {
          nowMs += waitMs
          while (takeTokens(bucket, limits, cost, nowMs, 0)) paid += cost
        }
        expect(paid).toBeLessThanOrEqual(limits.messageBurst + (limits.messagesPerSecond * (nowMs - 0.9 + 1)) / 1000)
        const leastMs = nowMs - 0.9 - 1.001
        expect(paid).toBeGreaterThan(limits.messageBurst + (limits.messagesPerSecond * leastMs) / 1000 - cost)
      }),
    )
  })

  it('applies new limits from the next message on', () => {
    const fewer = { messagesPerSecond: 1, messageBurst: 2 }
    const bucket = createTokenBucket(limits, 0, 0)
    expect(Array.from({ length: 3 }, () => takeTokens(bucket, fewer, 1, 0, 0))).toEqual([true, true, false])
    expect([takeTokens(bucket, limits, 61, 1000, 0), takeTokens(bucket, limits, 60, 1000, 0)]).toEqual([false, true])
  })

  it('credits the rate for the time that the server was late, once and beyond the burst', () => {
    const bucket = createTokenBucket(limits, 0, 0)
    const countPaid = (nowMs: number, lateMs: number): number => {
      let paid = 0
      while (takeTokens(bucket, limits, 1, nowMs, lateMs)) paid += 1
      return paid
    }
    expect(countPaid(5000, 4000)).toBe(120 + 4 * 60)
    expect(countPaid(5000, 4000)).toBe(0)
    expect(countPaid(6000, 4000)).toBe(60)
  })

  it('lets credit expire as fast as the budget refills, and gives none for more than 30 seconds', () => {
    const bucket = createTokenBucket(limits, 0, 0)
    expect(takeTokens(bucket, limits, 1, 4000, 4000)).toBe(true)
    expect(takeTokens(bucket, limits, 121, 9000, 4000)).toBe(false)
    expect(takeTokens(bucket, limits, 120 + 30 * 60 + 1, 100_000, 90_000)).toBe(false)
    expect(takeTokens(bucket, limits, 120 + 30 * 60, 100_000, 90_000)).toBe(true)
  })
})
