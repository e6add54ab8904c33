import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseJson } from '../../../../functions/http/request/parse-json.ts'

const notUnicode = expect.objectContaining({ slug: 'bad-request', publicDetail: expect.stringContaining('not Unicode') })

describe('parseJson', () => {
  it.each([
    '"\\ud800"',
    '"\\uDC00"',
    '"\\ude00\\ud83d"',
    '"\\ud83d😀"',
    '"\\ud83d\\ud83d\\ude00"',
    '{"\\udead":1}',
    '["\\ud83d\\ude00",0,{"a":["\\udfff"]}]',
    '"\\\\\\ud83d"',
  ])('refuses a lone surrogate in %s', (text) => {
    expect(() => parseJson(text)).toThrow(notUnicode)
  })

  it.each([
    '"\\ud83d\\ude00"',
    '"\\\\ud83d"',
    '"\\\\\\\\udead"',
    '["\\uD83D\\uDE00","\\\\uD83D"]',
    '"\\u00e9\\n\\ud83d\\ude00\\u0041"',
  ])('accepts %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  it('refuses JSON that is expensive to parse before it parses it', () => {
    const many = `[${'0,'.repeat(29_999)}0]`
    expect(parseJson(many)).toHaveLength(30_000)
    expect(() => parseJson(`[${many}]`)).toThrow(
      expect.objectContaining({ slug: 'bad-request', publicDetail: expect.stringContaining('30000') }),
    )
    expect(() => parseJson('['.repeat(30_001))).toThrow(
      expect.objectContaining({ publicDetail: expect.stringContaining('30000') }),
    )
  })

  it('refuses exactly what JavaScript calls not well-formed, however it is escaped', () => {
    const piece = fc.constantFrom(
      '\\\\',
      '\\n',
      '\\"',
      'u',
      'd',
      '\\u0041',
      '\\ud83d',
      '\\uDBFF',
      '\\ude00',
      '\\udc00',
      'é',
      '😀',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = `"${pieces.join('')}"`
        const value: string = JSON.parse(text)
        if (/\p{Surrogate}/u.test(value)) expect(() => parseJson(text)).toThrow(notUnicode)
        else expect(parseJson(text)).toBe(value)
      }),
      { numRuns: 2000 },
    )
  })
})
