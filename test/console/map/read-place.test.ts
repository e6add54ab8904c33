import { expect, it } from '@jest/globals'
import { readPlace } from '../../../console/map/read-place.ts'

it.each([
  ['120 -48', { x: 120, z: -48 }],
  ['120,-48', { x: 120, z: -48 }],
  [' 120, 64, -48 ', { x: 120, z: -48 }],
])('reads %j as a place', (text, place) => {
  expect(readPlace(text)).toEqual(place)
})

it.each(['120', 'Market square', '1 2 3 4', '12x 3', ''])('reads no place in %j', (text) => {
  expect(readPlace(text)).toBeUndefined()
})
