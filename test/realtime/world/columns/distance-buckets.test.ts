import { describe, expect, it } from '@jest/globals'
import { createDistanceBuckets } from '../../../../realtime/world/columns/distance-buckets.ts'

const createQueue = () => {
  const distances = new Map<string, number>()
  const queue = createDistanceBuckets<string>((item) => distances.get(item) ?? 0)
  return { distances, queue }
}

describe('a queue by distance', () => {
  it('gives the nearest first, and of those as near the one that came first', () => {
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

  it('forgets what is deleted, and holds an item once', () => {
    const { queue } = createQueue()
    queue.add('a')
    queue.add('a')
    queue.add('b')
    queue.delete('a')
    queue.delete('c')
    expect([queue.size(), queue.take(), queue.take()]).toEqual([1, 'b', undefined])
  })

  it('passes over what has become farther since', () => {
    const { distances, queue } = createQueue()
    distances.set('a', 1).set('b', 2)
    queue.add('a')
    queue.add('b')
    distances.set('a', 30)
    expect([queue.take(), queue.take()]).toEqual(['b', 'a'])
  })

  it('notices what has become nearer once it was measured again, each in its turn', () => {
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
})
