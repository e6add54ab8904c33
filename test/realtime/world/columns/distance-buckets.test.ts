import { describe, expect, it } from '@jest/globals'
import { createDistanceBuckets } from '../../../../realtime/world/columns/distance-buckets.ts'

const createQueue = () => {
  const distances = new Map<string, number>()
  const queue = createDistanceBuckets<string>((item) => distances.get(item) ?? 0)
  return { distances, queue }
}

describe('a queue by distance', () => {
  it('returns the nearest first, and equally near items in the order of adding', () => {
    const { distances, queue } = createQueue()
    for (const [item, distance] of [
      ['far', 9],
      ['b', 3.2],
      ['a', 3.9],
      ['near', -1],
      ['endless', Number.POSITIVE_INFINITY],
    ] as const) {
      distances.set(item, distance)
      queue.add(item)
    }
    expect(queue.size()).toBe(5)
    expect([queue.take(), queue.take(), queue.take(), queue.take(), queue.take(), queue.take()]).toEqual([
      'near',
      'b',
      'a',
      'far',
      'endless',
      undefined,
    ])
  })

  it('forgets deleted items, and contains an item once', () => {
    const { queue } = createQueue()
    queue.add('a')
    queue.add('a')
    queue.add('b')
    queue.delete('a')
    queue.delete('c')
    expect([queue.size(), queue.take(), queue.take()]).toEqual([1, 'b', undefined])
  })

  it('skips items that are farther away since they were added', () => {
    const { distances, queue } = createQueue()
    distances.set('a', 1).set('b', 2)
    queue.add('a')
    queue.add('b')
    distances.set('a', 30)
    expect([queue.take(), queue.take()]).toEqual(['b', 'a'])
  })

  it('notices items that came nearer when it measures them again, a few at a time', () => {
    const { distances, queue } = createQueue()
    for (let i = 0; i < 10; i += 1) {
      distances.set(`${i}`, 20)
      queue.add(`${i}`)
    }
    distances.set('7', 1)
    queue.refresh(4)
    queue.refresh(4)
    expect([queue.size(), queue.take()]).toEqual([10, '7'])
  })

  it('returns an item next after it was brought nearer, however many wait', () => {
    const { distances, queue } = createQueue()
    for (let i = 0; i < 20_000; i += 1) {
      distances.set(`${i}`, 6)
      queue.add(`${i}`)
    }
    distances.set('15000', 0.4)
    queue.bringNearer('15000', 0.4)
    expect([queue.size(), queue.take(), queue.take()]).toEqual([20_000, '15000', '0'])
  })

  it('ignores items outside the queue, and items that are already as near', () => {
    const { distances, queue } = createQueue()
    for (const item of ['a', 'b']) {
      distances.set(item, 3)
      queue.add(item)
    }
    queue.bringNearer('a', 8)
    queue.bringNearer('a', 3.5)
    queue.bringNearer('c', 0)
    expect([queue.take(), queue.take(), queue.take()]).toEqual(['a', 'b', undefined])
  })
})
