import { expect, it } from '@jest/globals'
import { placeNames } from '../../../console/map/drawing/place-names.ts'

const at = (left: number, top = 100, width = 60) => ({ left, top, width })

it('spreads names of players in one place above and below, and leaves out those without room', () => {
  expect(placeNames([at(50)])).toEqual([84])
  expect(placeNames(Array.from({ length: 8 }, () => at(50)))).toEqual([84, 116, 66, 134, 48, 152, undefined, undefined])
})

it('moves only names that cover another', () => {
  expect(placeNames([at(50), at(110), at(109), at(50, 200)])).toEqual([84, 84, 116, 184])
})

it('covers no existing name', () => {
  expect(placeNames([at(50)], [at(60, 80)])).toEqual([116])
})
