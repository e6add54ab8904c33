import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { exceedsJsonTokens } from '../../../shared/kernel/exceeds-json-tokens.ts'

/** Counts the slow way, from the parsed value. */
const countTokens = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  const below = inner.reduce((sum: number, one) => sum + countTokens(one), 0)
  return 1 + Math.max(0, inner.length - 1) + (Array.isArray(value) ? 0 : inner.length) + below
}

describe('the tokens of a JSON text', () => {
  it.each([
    ['{}', 1],
    ['[]', 1],
    ['[1,2]', 2],
    ['{"a":1,"b":[]}', 5],
    ['"a,b:[{"', 0],
    ['"\\",:[{"', 0],
    ['"\\\\",', 1],
    ['"never closed,,,', 0],
    ['"\\', 0],
    ['[[[[', 4],
  ])('of %s are %i', (text, tokens) => {
    expect([exceedsJsonTokens(text, tokens), exceedsJsonTokens(text, tokens - 1)]).toEqual([false, tokens > 0])
  })

  it('are counted without parsing, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        const tokens = countTokens(JSON.parse(text))
        expect([exceedsJsonTokens(text, tokens), exceedsJsonTokens(text, tokens - 1)]).toEqual([false, tokens > 0])
      }),
      { numRuns: 500 },
    )
  })
})
