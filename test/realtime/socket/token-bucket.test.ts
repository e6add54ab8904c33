import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createTokenBucket, takeTokens } from '../../../realtime/socket/token-bucket.ts'

const limits = { messagesPerSecond: 60, messageBurst: 120 }

describe('a budget of messages', () => {
  it('is its burst at the start and no more after a long time, and takes nothing for what it cannot pay', () => {
    const bucket = createTokenBucket(limits, 0)
    expect([takeTokens(bucket, limits, 121, 0), takeTokens(bucket, limits, 120, 0), takeTokens(bucket, limits, 1, 0)]).toEqual([
      false,
      true,
      false,
    ])
    expect([takeTokens(bucket, limits, 121, 1e9), takeTokens(bucket, limits, 120, 1e9)]).toEqual([false, true])
  })

  it('never refuses who sends at exactly the rate, whatever the fractions of the clock', () => {
    const rate = fc.integer({ min: 1, max: 10_000 })
    fc.assert(
      fc.property(rate, fc.double({ min: 0, max: 1e6, noNaN: true }), (messagesPerSecond, startMs) => {
        const evenly = { messagesPerSecond, messageBurst: messagesPerSecond }
        const bucket = createTokenBucket(evenly, startMs)
        for (let i = 1; i <= 200; i += 1)
          expect(takeTokens(bucket, evenly, 1, startMs + (i * 1000) / messagesPerSecond)).toBe(true)
      }),
    )
  })

  it('lets through what its limits say and not a millisecond more, however often it is asked', () => {
    const waits = fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { minLength: 100, maxLength: 500 })
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 20 }), (everyMs, cost) => {
        const bucket = createTokenBucket(limits, 0.9)
        let nowMs = 0.9
        let paid = 0
        for (const waitMs of [0, ...everyMs]) {
          nowMs += waitMs
          while (takeTokens(bucket, limits, cost, nowMs)) paid += cost
        }
        expect(paid).toBeLessThanOrEqual(limits.messageBurst + (limits.messagesPerSecond * (nowMs - 0.9 + 1)) / 1000)
        const leastMs = nowMs - 0.9 - 1.001
        expect(paid).toBeGreaterThan(limits.messageBurst + (limits.messagesPerSecond * leastMs) / 1000 - cost)
      }),
    )
  })

  it('counts other limits from the next message on', () => {
    const fewer = { messagesPerSecond: 1, messageBurst: 2 }
    const bucket = createTokenBucket(limits, 0)
    expect(Array.from({ length: 3 }, () => takeTokens(bucket, fewer, 1, 0))).toEqual([true, true, false])
    expect([takeTokens(bucket, limits, 61, 1000), takeTokens(bucket, limits, 60, 1000)]).toEqual([false, true])
  })
})
