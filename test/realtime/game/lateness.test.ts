import { describe, expect, it } from '@jest/globals'
import { createLateness } from '../../../realtime/game/lateness.ts'

describe('createLateness', () => {
  it('counts nothing before the first tick, nor ticks that are at most one step late', () => {
    const lateness = createLateness(20)
    expect(lateness.totalMs(10_000)).toBe(0)
    for (const atMs of [10_000, 10_050, 10_150]) lateness.ticked(atMs)
    expect(lateness.totalMs(10_250)).toBe(0)
  })

  it('counts a late tick while it is awaited and after it began, once', () => {
    const lateness = createLateness(20)
    lateness.ticked(0)
    expect([lateness.totalMs(1100), lateness.totalMs(2100)]).toEqual([1000, 2000])
    lateness.ticked(2100)
    lateness.ticked(2150)
    expect(lateness.totalMs(2200)).toBe(2000)
  })
})
