import { describe, expect, it } from '@jest/globals'
import { repeat } from '../../../sdk/testing/repeat.ts'
import { createHeldTimers } from '../support/fake-session.ts'

/** Timers that fire late, as in a busy process. */
const createLateTimers = (lateMs: number) => {
  const held = createHeldTimers()
  const after: typeof held.timers.after = (ms, act) => held.timers.after(ms + lateMs, act)
  return { ...held, timers: { ...held.timers, after } }
}

describe('a repeated action of a bot', () => {
  it.each([0, 3, 20, 49, 230])('keeps its rate when each timer comes %i ms late', (lateMs) => {
    const { timers, advance } = createLateTimers(lateMs)
    let turns = 0
    const stop = repeat(timers, 50, () => {
      turns += 1
    })
    advance(10_000 + lateMs)
    stop()
    expect(turns).toBe(200)
  })

  it('skips missed runs after a long pause, and continues when the clock is set back', () => {
    let nowMs = 0
    let due: { readonly ms: number; readonly act: () => void } | undefined
    const after = (ms: number, act: () => void) => {
      due = { ms, act }
      return () => undefined
    }
    let turns = 0
    repeat({ now: () => nowMs, after, background: after }, 50, () => {
      turns += 1
    })
    const run = (count: number) => {
      for (let turn = 0; turn < count; turn += 1) {
        nowMs += due?.ms ?? 0
        due?.act()
      }
    }
    run(2)
    expect(nowMs).toBe(100)
    nowMs += 3_600_000
    run(4)
    expect(nowMs).toBe(3_600_100 + 4 * 50)
    nowMs -= 3_600_000
    run(4)
    expect(nowMs).toBe(300 + 4 * 50)
    expect(turns).toBe(10)
  })
})
