import { expect, it } from '@jest/globals'
import { findBlockRefusal, type SolidWorld } from '../../../sdk/world.ts'

/** A world of air with a limited number of reads. */
const createAir = (looksMax: number): SolidWorld => {
  let looks = 0
  const blockAt = (): number => {
    looks += 1
    if (looks > looksMax) throw new Error('looked at too many blocks')
    return 0
  }
  return { loaded: { blockAt }, registry: { isSolid: () => false } }
}

it.each([
  ['from where numbers are too coarse to count on', { x: 1e16, y: 64, z: 0 }, { x: 1e16 + 4, y: 64, z: 0 }],
  ['from far below the world', { x: 0, y: -1e9, z: 0 }, { x: 0, y: 64, z: 0 }],
  ['from one end of the world to the other', { x: -3e7, y: 64, z: 0 }, { x: 3e7, y: 64, z: 0 }],
  ['from nowhere', { x: Number.NaN, y: 64, z: 0 }, { x: 0, y: 64, z: 0 }],
])('finds no path, and reads no block, %s', (_what, from, to) => {
  expect(findBlockRefusal(createAir(0), from, to)).toBe('not-loaded')
})

it('finds every path that the server would allow at once', () => {
  expect(findBlockRefusal(createAir(10_000), { x: 0, y: 40, z: 0 }, { x: 11, y: 0, z: 0 })).toBeUndefined()
  expect(findBlockRefusal(createAir(10_000), { x: 3e7 - 1, y: 512, z: 0 }, { x: 3e7, y: 472, z: 0 })).toBeUndefined()
})
