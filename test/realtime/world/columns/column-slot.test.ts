import { describe, expect, it } from '@jest/globals'
import {
  addHolder,
  countHolders,
  createColumnSlot,
  distanceOf,
  noteNearer,
  removeHolder,
} from '../../../../realtime/world/columns/column-slot.ts'
import type { ColumnHolder } from '../../../../realtime/world/columns/loaded-world.ts'

const holderAt = (distance: number): ColumnHolder => ({ distanceTo: () => distance })

const createSlot = (distances: readonly number[]) => {
  const slot = createColumnSlot({ cx: 0, cz: 0 })
  const holders = distances.map(holderAt)
  for (const holder of holders) addHolder(slot, holder)
  return { slot, holders }
}

const far = (count: number): number[] => Array.from({ length: count }, () => 9)

describe('the distance of a column', () => {
  it('is that of the nearest holder, and infinite without holders', () => {
    expect(distanceOf(createSlot([]).slot)).toBe(Number.POSITIVE_INFINITY)
    expect(distanceOf(createSlot([7, 2, 5]).slot)).toBe(2)
    expect(distanceOf(createSlot([...far(15), 2]).slot)).toBe(2)
  })

  it('includes the seventeenth holder after the next measurement, and stays so', () => {
    const { slot } = createSlot([...far(16), 2])
    distanceOf(slot)
    expect([distanceOf(slot), distanceOf(slot), distanceOf(slot)]).toEqual([2, 2, 2])
  })

  it('includes any of a thousand holders after enough measurements, with few reads each time', () => {
    let asked = 0
    const slot = createColumnSlot({ cx: 0, cz: 0 })
    for (let i = 0; i < 1000; i += 1)
      addHolder(slot, {
        distanceTo: () => {
          asked += 1
          return i === 700 ? 1 : 9
        },
      })
    for (let times = 0; times < 63; times += 1) distanceOf(slot)
    expect(distanceOf(slot)).toBe(1)
    expect(asked).toBeLessThanOrEqual(64 * 17)
  })

  it('changes at once to that of a holder who came nearer', () => {
    const { slot } = createSlot(far(40))
    const comer = holderAt(1)
    addHolder(slot, comer)
    noteNearer(slot, comer)
    expect(distanceOf(slot)).toBe(1)
  })

  it('excludes a holder who let go', () => {
    const { slot, holders } = createSlot([2, ...far(20)])
    expect(distanceOf(slot)).toBe(2)
    for (const holder of holders.slice(0, 1)) removeHolder(slot, holder)
    expect(distanceOf(slot)).toBe(9)
    for (const holder of holders.slice(1)) removeHolder(slot, holder)
    expect(distanceOf(slot)).toBe(Number.POSITIVE_INFINITY)
    addHolder(slot, holderAt(4))
    expect(distanceOf(slot)).toBe(4)
  })

  it('forgets all holders once the column is loaded', () => {
    const slot = createColumnSlot({ cx: 0, cz: 0 })
    addHolder(slot, { distanceTo: () => 3, keepsCount: true })
    distanceOf(slot)
    countHolders(slot)
    expect(slot).toMatchObject({ counted: 1, holders: undefined, nearest: undefined, asking: undefined })
  })
})
