import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { seedOf } from '../../../../shared/domain/worlds/world.ts'

describe('the seed of a text', () => {
  it.each([
    ['0', 0],
    ['-0', 0],
    ['+7', 7],
    ['007', 7],
    ['-42', -42],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['-9007199254740991', Number.MIN_SAFE_INTEGER],
  ])('of the digits %s is that integer', (text, seed) => {
    expect(seedOf(text)).toBe(seed)
  })

  it.each([
    ['', 8_011_147_086_339_971],
    ['gatehouse', 4_648_848_465_889_452],
    ['Gatehouse', 7_888_459_571_457_361],
    ['wörld 🌍', 6_734_409_465_840_252],
    ['9007199254740992', 6_984_352_457_745_639],
    ['-9007199254740992', 4_640_081_742_331_753],
    [' 7', 4_437_953_943_883_952],
    ['1e3', 389_473_005_898_461],
    ['0x10', 6_741_697_184_247_376],
    ['1.5', 5_600_036_696_650_096],
    ['١٢', 7_556_982_119_510_446],
  ])('of %j is the same hash in every version', (text, seed) => {
    expect(seedOf(text)).toBe(seed)
  })

  it('is a safe integer for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(Number.isSafeInteger(seedOf(text))).toBe(true)
        expect(seedOf(text)).toBe(seedOf(text))
      }),
    )
  })
})
