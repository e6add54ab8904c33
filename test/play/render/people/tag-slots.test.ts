import { expect, it } from '@jest/globals'
import { createTagSlots } from '../../../../play/render/people/tag-slots.ts'

const open = (count: number) => {
  const painted: string[] = []
  const slots = createTagSlots(count, (at, name) => {
    painted.push(`${at} ${name}`)
    return name.length
  })
  const take = (names: readonly string[], paintsMax = 9) =>
    slots
      .take(
        names.map((displayName) => ({ playerId: displayName.toLowerCase(), displayName })),
        paintsMax,
      )
      .map((slot) => slot?.at)
  return { painted, slots, take }
}

it('paints a name once, and keeps its place and width', () => {
  const { painted, slots, take } = open(3)
  expect(take(['Ann', 'Robert'])).toEqual([0, 1])
  expect(slots.take([{ playerId: 'robert', displayName: 'Robert' }], 9)).toEqual([{ at: 1, name: 'Robert', width: 6 }])
  expect(painted).toEqual(['0 Ann', '1 Robert'])
})

it('paints a new name over the old one of the same player', () => {
  const { painted, slots } = open(3)
  slots.take([{ playerId: 'ann', displayName: 'Ann' }], 9)
  expect(slots.take([{ playerId: 'ann', displayName: 'Anna' }], 9)[0]?.at).toBe(0)
  expect(painted).toEqual(['0 Ann', '0 Anna'])
})

it('reuses the least recently shown slot when all are taken', () => {
  const { painted, take } = open(2)
  take(['Ann'])
  take(['Bob'])
  take(['Ann'])
  expect(take(['Eve'])).toEqual([1])
  expect(take(['Ann'])).toEqual([0])
  expect(painted).toEqual(['0 Ann', '1 Bob', '1 Eve'])
})

it('never reuses the slot of a requested player, wherever they are in the list', () => {
  const { painted, take } = open(3)
  take(['Ann', 'Bob', 'Joe'])
  expect(take(['Eve', 'Joe', 'Ann'])).toEqual([1, 2, 0])
  expect(painted).toEqual(['0 Ann', '1 Bob', '2 Joe', '1 Eve'])
})

it('paints up to its limit, the first before others, and the rest the next time', () => {
  const { painted, take } = open(5)
  expect(take(['Ann', 'Bob', 'Eve', 'Joe'], 2)).toEqual([0, 1, undefined, undefined])
  expect(take(['Joe', 'Ann', 'Bob', 'Eve'], 2)).toEqual([2, 0, 1, 3])
  expect(painted).toEqual(['0 Ann', '1 Bob', '2 Joe', '3 Eve'])
})

it('paints all again after a loss, each in its own slot', () => {
  const { painted, slots, take } = open(2)
  take(['Ann', 'Bob'])
  slots.clear()
  expect(take(['Bob', 'Ann'])).toEqual([0, 1])
  expect(painted).toEqual(['0 Ann', '1 Bob', '0 Bob', '1 Ann'])
})
