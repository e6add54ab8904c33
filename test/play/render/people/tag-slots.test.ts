import { expect, it } from '@jest/globals'
import { createTagSlots } from '../../../../play/render/people/tag-slots.ts'

const open = (count: number) => {
  const painted: string[] = []
  const slots = createTagSlots(count, (at, name) => {
    painted.push(`${at} ${name}`)
    return name.length
  })
  const take = (playerId: string, name: string) => slots.find(playerId, name) ?? slots.paint(playerId, name)
  return { painted, slots: { ...slots, take } }
}

it('paints a name once, and keeps its place and width', () => {
  const { painted, slots } = open(3)
  expect(slots.take('ann', 'Ann')).toEqual({ at: 0, name: 'Ann', width: 3 })
  expect(slots.take('bob', 'Robert')).toEqual({ at: 1, name: 'Robert', width: 6 })
  expect(slots.take('ann', 'Ann')).toEqual({ at: 0, name: 'Ann', width: 3 })
  expect(painted).toEqual(['0 Ann', '1 Robert'])
})

it('paints a new name over the old one of the same player', () => {
  const { painted, slots } = open(3)
  slots.take('ann', 'Ann')
  expect(slots.take('ann', 'Anna').at).toBe(0)
  expect(painted).toEqual(['0 Ann', '0 Anna'])
})

it('gives the place of who was shown longest ago, when all are taken', () => {
  const { painted, slots } = open(2)
  slots.take('ann', 'Ann')
  slots.take('bob', 'Bob')
  slots.take('ann', 'Ann')
  expect(slots.take('eve', 'Eve').at).toBe(1)
  expect(slots.take('ann', 'Ann').at).toBe(0)
  expect(slots.take('bob', 'Bob').at).toBe(1)
  expect(painted).toEqual(['0 Ann', '1 Bob', '1 Eve', '1 Bob'])
})

it('paints all again after they were lost, no two of them in one place', () => {
  const { painted, slots } = open(2)
  slots.take('ann', 'Ann')
  slots.take('bob', 'Bob')
  slots.clear()
  expect([slots.take('bob', 'Bob').at, slots.take('ann', 'Ann').at]).toEqual([0, 1])
  expect(painted).toEqual(['0 Ann', '1 Bob', '0 Bob', '1 Ann'])
})
