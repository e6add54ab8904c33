import { expect, it } from '@jest/globals'
import { moveInGrid } from '../../../console/groups/move-in-grid.ts'

const size = { rows: 30, columns: 4 }
const press = (key: string, row: number, column: number, held: { ctrlKey?: boolean; altKey?: boolean } = {}) => {
  const to = moveInGrid({ key, ctrlKey: false, altKey: false, metaKey: false, ...held }, { row, column }, size)
  return to && [to.row, to.column]
}

it('moves by one cell, a page, or to the ends, and stays inside the grid', () => {
  expect(press('ArrowDown', 3, 2)).toEqual([4, 2])
  expect(press('ArrowUp', 0, 2)).toEqual([0, 2])
  expect(press('ArrowRight', 3, 3)).toEqual([3, 3])
  expect(press('ArrowLeft', 3, 2)).toEqual([3, 1])
  expect(press('PageDown', 25, 1)).toEqual([29, 1])
  expect(press('PageUp', 25, 1)).toEqual([15, 1])
  expect(press('Home', 5, 2)).toEqual([5, 0])
  expect(press('End', 5, 2, { ctrlKey: true })).toEqual([29, 3])
})

it('leaves other keys and shortcuts to the browser', () => {
  expect(press('Enter', 1, 1)).toBeUndefined()
  expect(press('ArrowLeft', 1, 1, { altKey: true })).toBeUndefined()
  expect(press('ArrowLeft', 1, 1, { ctrlKey: true })).toBeUndefined()
})
