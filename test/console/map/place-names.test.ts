import { expect, it } from '@jest/globals'
import { placeNames } from '../../../console/map/drawing/place-names.ts'

const at = (left: number, top = 100, width = 60) => ({ left, top, width })
const topsOf = (places: ReturnType<typeof placeNames>) => places.map((place) => place?.top)

it('spreads names of players in one place around it, and leaves out those without room', () => {
  expect(placeNames([at(50)])).toEqual([{ left: 50, top: 84 }])
  const crowd = placeNames(Array.from({ length: 8 }, () => at(50)))
  expect(topsOf(crowd)).toEqual([84, 116, 66, 134, 48, 152, undefined, undefined])
})

it('moves only names that cover another', () => {
  expect(topsOf(placeNames([at(50), at(110), at(109), at(50, 200)]))).toEqual([84, 84, 116, 184])
})

it('covers no existing name', () => {
  expect(placeNames([at(50)], [at(60, 80)])).toEqual([{ left: 50, top: 116 }])
})

it('covers no dot of another player', () => {
  expect(topsOf(placeNames([at(50), at(70, 86)]))).toEqual([116, 70])
})

it('writes beside the dot where names above and below are taken', () => {
  expect(placeNames([at(50)], [at(20, 80), at(20, 120)])).toEqual([{ left: 92, top: 100 }])
})
