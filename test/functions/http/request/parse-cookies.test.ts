import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseCookies } from '../../../../functions/http/request/parse-cookies.ts'
import { anyCharacter } from '../../../support/any-character.ts'

describe('parseCookies', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['a=1', [['a', '1']]],
    [
      'a=1; b=2;c=3 ;  d=4',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
        ['d', '4'],
      ],
    ],
    ['a=1; a=2', [['a', '1']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a=', [['a', '']]],
    ['a; =1; ;b=2', [['b', '2']]],
    ['__proto__=1', [['__proto__', '1']]],
  ])('reads %j', (header, cookies) => {
    expect([...parseCookies(header)]).toEqual(cookies)
  })

  it('parses any header without throwing', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (header) => parseCookies(header) instanceof Map))
  })
})
