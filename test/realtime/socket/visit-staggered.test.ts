import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { visitStaggered } from '../../../realtime/socket/visit-staggered.ts'

const times = { everyMs: 15_000, sliceMs: 100 }

describe('a staggered visit', () => {
  let visits: number[]
  let end = () => {}
  beforeEach(() => {
    jest.useFakeTimers()
    visits = []
  })
  afterEach(() => {
    end()
    jest.useRealTimers()
  })
  const begin = (all: ReadonlySet<number>, visit = (one: number) => void visits.push(one)): void => {
    end = visitStaggered(all, visit, times)
  }
  const numbers = (count: number) => new Set(Array.from({ length: count }, (_, i) => i))

  it.each([1, 149, 150, 1000])('reaches all of %d once a round', (count) => {
    const all = numbers(count)
    begin(all)
    jest.advanceTimersByTime(times.everyMs)
    expect(visits).toEqual([...all])
    jest.advanceTimersByTime(times.everyMs)
    expect(visits).toEqual([...all, ...all])
  })

  it('never exceeds its share at once', () => {
    begin(numbers(20_000))
    for (let before = 0, slice = 0; slice < 150; slice += 1, before = visits.length) {
      jest.advanceTimersByTime(times.sliceMs)
      expect(visits.length - before).toBeLessThanOrEqual(134)
    }
    expect(visits).toHaveLength(20_000)
  })

  it('tolerates items that leave during their own visit, and new ones', () => {
    const all = numbers(300)
    begin(all, (one) => {
      visits.push(one)
      all.delete(one)
      if (one < 300) all.add(one + 1000)
    })
    jest.advanceTimersByTime(2 * times.everyMs)
    expect(new Set(visits).size).toBe(visits.length)
    expect(visits.filter((one) => one < 300)).toHaveLength(300)
  })

  it('stops at its end', () => {
    begin(numbers(10))
    end()
    jest.advanceTimersByTime(times.everyMs)
    expect(visits).toEqual([])
  })
})
