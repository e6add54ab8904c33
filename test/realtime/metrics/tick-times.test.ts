import { describe, expect, it } from '@jest/globals'
import { createTickTimes } from '../../../realtime/metrics/tick-times.ts'

describe('the times of ticks', () => {
  it('are zero before the first tick', () => {
    expect(createTickTimes().summarise()).toEqual({ ticks: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 })
  })

  it('are the median and the 99th percentile', () => {
    const times = createTickTimes()
    for (let i = 200; i >= 1; i -= 1) times.add(i)
    expect(times.summarise()).toEqual({ ticks: 200, p50Ms: 100, p99Ms: 198, maxMs: 200 })
  })

  it('cover the last ticks only', () => {
    const times = createTickTimes(100)
    for (let i = 0; i < 1000; i += 1) times.add(90)
    for (let i = 0; i < 100; i += 1) times.add(2)
    expect(times.summarise()).toEqual({ ticks: 100, p50Ms: 2, p99Ms: 2, maxMs: 2 })
  })
})
