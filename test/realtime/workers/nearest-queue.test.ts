import { describe, expect, it } from '@jest/globals'
import { createNearestQueue } from '../../../realtime/workers/nearest-queue.ts'

describe('createNearestQueue', () => {
  it('returns the nearest by the current distances, not those at the time of adding', () => {
    let here = 0
    const queue = createNearestQueue<{ at: number; distance: () => number }>()
    const items = [5, 1, 9, 3].map((at) => ({ at, distance: () => Math.abs(at - here) }))
    for (const item of items) queue.add(item)
    expect(queue.take()?.at).toBe(1)
    here = 10
    expect(queue.take()?.at).toBe(9)
    here = 0
    expect([queue.take()?.at, queue.take()?.at, queue.take()]).toEqual([3, 5, undefined])
  })

  it('never returns a removed item', () => {
    const queue = createNearestQueue<{ at: number; distance: () => number }>()
    const items = [1, 2, 3].map((at) => ({ at, distance: () => at }))
    for (const item of items) queue.add(item)
    expect(items.map((item) => item.at === 1 && queue.remove(item))).toEqual([true, false, false])
    expect(queue.remove({ at: 9, distance: () => 0 })).toBe(false)
    expect(queue.take()?.at).toBe(2)
    expect(queue.takeAll().map(({ at }) => at)).toEqual([3])
    expect(queue.take()).toBeUndefined()
  })

  it('reads distances a few hundred times for each item, however long the queue', () => {
    let asked = 0
    const queue = createNearestQueue<{ at: number; distance: () => number }>()
    for (let place = 0; place < 10_000; place += 1) {
      const at = (place * 7919) % 10_000
      queue.add({
        at,
        distance: () => {
          asked += 1
          return at
        },
      })
    }
    const taken = Array.from({ length: 1000 }, () => queue.take()?.at)
    expect(taken).toEqual(Array.from({ length: 1000 }, (_, at) => at))
    expect(asked).toBeLessThan(1000 * 300)
  })

  it('looks again once something nearer was added', () => {
    const queue = createNearestQueue<{ at: number; distance: () => number }>()
    for (let at = 1; at <= 1000; at += 1) queue.add({ at, distance: () => at })
    expect(queue.take()?.at).toBe(1)
    queue.add({ at: 0, distance: () => 0 })
    expect([queue.take()?.at, queue.take()?.at]).toEqual([0, 2])
  })

  it('reads few distances when one item is added for each one taken', () => {
    let asked = 0
    const queue = createNearestQueue<{ at: number; distance: () => number }>()
    const add = (at: number) =>
      queue.add({
        at,
        distance: () => {
          asked += 1
          return at
        },
      })
    for (let at = 0; at < 32; at += 1) add((at * 7) % 32)
    const taken: (number | undefined)[] = []
    for (let at = 32; at < 1032; at += 1) {
      taken.push(queue.take()?.at)
      add(at)
    }
    expect(taken).toEqual(Array.from({ length: 1000 }, (_, at) => at))
    expect(asked).toBeLessThan(1000 * 10)
  })

  it('also returns items whose distance is NaN', () => {
    const queue = createNearestQueue<{ distance: () => number }>()
    for (let place = 0; place < 600; place += 1) queue.add({ distance: () => Number.NaN })
    let taken = 0
    while (queue.take() !== undefined) taken += 1
    expect(taken).toBe(600)
  })
})
