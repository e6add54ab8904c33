import { describe, expect, it } from '@jest/globals'
import { placeNames, placeZoneNames } from '../../../console/map/drawing/place-names.ts'

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
  expect(placeNames([at(50)], [{ ...at(60, 80), high: 18 }])).toEqual([{ left: 50, top: 116 }])
})

it('covers no dot of another player', () => {
  expect(topsOf(placeNames([at(50), at(70, 86)]))).toEqual([116, 70])
})

it('writes beside the dot where names above and below are taken', () => {
  expect(
    placeNames(
      [at(50)],
      [at(20, 80), at(20, 120)].map((one) => ({ ...one, high: 18 })),
    ),
  ).toEqual([{ left: 92, top: 100 }])
})

describe('the names of zones', () => {
  const zone = (text: string, left: number, top: number, high = 200) => ({ text, left, top, width: 60, high })
  const mark = (left: number, top: number, size = 16) => ({ left, top, width: size, high: size })
  const told = (names: ReturnType<typeof placeZoneNames>) => names.map(({ text, top }) => [text, top])

  it('are in the middle of their zone, without players', () => {
    expect(told(placeZoneNames([zone('Harbour', 100, 100)], [mark(200, 100)]))).toEqual([['Harbour', 100]])
  })

  it('move within their zone so that a player or a number stays readable', () => {
    expect(told(placeZoneNames([zone('Harbour', 100, 100)], [mark(110, 100)]))).toEqual([['Harbour', 80]])
    expect(told(placeZoneNames([zone('Harbour', 100, 100)], [mark(110, 100), mark(90, 75, 26)]))).toEqual([['Harbour', 120]])
  })

  it('are left out where a small zone has no room beside its players', () => {
    expect(placeZoneNames([zone('Hut', 100, 100, 30)], [mark(110, 100)])).toEqual([])
  })

  it('cover no other name, and the first one stays', () => {
    const names = [zone('First', 100, 100, 30), zone('Second', 110, 100, 30), zone('Third', 110, 100, 90)]
    expect(told(placeZoneNames(names, []))).toEqual([
      ['First', 100],
      ['Third', 80],
    ])
  })
})
