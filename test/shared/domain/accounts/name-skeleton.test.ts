import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { nameSkeleton } from '../../../../shared/domain/accounts/names/name-skeleton.ts'

it.each([
  ['Ann', 'ANN'],
  ['admin', 'аdmin'],
  ['Bill', 'BiIl'],
  ['Zoë', 'zoe'],
  ['modern', 'modem'],
  ['vvolf', 'wolf'],
  ['Ａｎｎ', 'ann'],
  ['Κορη', 'kopn'],
  ['O2', '02'],
  ['Henry', 'Ηenry'],
  ['Nina', 'Νina'],
  ['Max', 'Μax'],
  ['Yeti', 'Υeti'],
  ['Zoe', 'Ζoe'],
  ['Ann', 'An\u3164n'],
  ['Ann', 'An\u2800n'],
  ['two  words', 'Two words'],
  ['admin', 'admіn'],
  ['Iris', 'ιris'],
  ['Ada', 'ꓮꓓꓮ'],
  ['Ada', 'ᎪᎠᎪ'],
  ['Ada', 'ꭺꭰꭺ'],
  ['Ada', 'ᴀᴅᴀ'],
  ['gala', 'ɡɑla'],
  ['noon', 'ոօօո'],
])('treats %s and %s as alike', (one, other) => {
  expect(nameSkeleton(one)).toBe(nameSkeleton(other))
})

it.each([
  ['Ann', 'Anne'],
  ['Ann', 'Ann 2'],
  ['sam', 'sum'],
  ['player1', 'player2'],
  ['राम', 'रमा'],
  ['李', '王'],
])('treats %s and %s as different', (one, other) => {
  expect(nameSkeleton(one)).not.toBe(nameSkeleton(other))
})

it('treats a name as equal to itself in any letter case and Unicode form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      expect(nameSkeleton(name.normalize('NFD'))).toBe(nameSkeleton(name.normalize('NFC')))
      expect(nameSkeleton(`${name} x`)).toBe(nameSkeleton(`${name}  X`))
    }),
  )
})
