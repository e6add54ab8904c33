import { describe, expect, it } from '@jest/globals'
import { callWithin, createTimeLimit } from '../../../realtime/modules/time-limit.ts'

const limit = createTimeLimit()
/** Waits without processor time, as on a machine that is paused. */
const stall = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)

describe('a time limit', () => {
  it('tells an endless loop from a stall of the process', () => {
    const loop = (): void => {
      for (;;) {}
    }
    expect(limit(() => {}, 100)).toBe('finished')
    // A busy machine may stall the loop too.
    const outcomes = Array.from({ length: 5 }, () => limit(loop, 400))
    expect(outcomes).toContain('cut')
    expect(limit(stall, 100)).toBe('stalled')
    expect(limit(() => {}, 100)).toBe('finished')
  })

  it('calls a function once more after a stall', () => {
    let calls = 0
    const value = callWithin(
      limit,
      () => {
        calls += 1
        if (calls === 1) stall()
        return calls
      },
      100,
    )
    expect(value).toEqual({ value: 2 })
    expect(callWithin(limit, stall, 100)).toBeUndefined()
  })

  it('throws what the function throws', () => {
    const broken = (): never => {
      throw new Error('broken')
    }
    expect(() => callWithin(limit, broken, 100)).toThrow('broken')
  })
})
