import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { exceedsJsonShape } from '../../../realtime/feeds/exceeds-json-shape.ts'

type Shape = { readonly depth: number; readonly keys: number }

/** A slow reference implementation, by the parsed value. */
const shapeOf = (value: unknown): Shape => {
  if (typeof value !== 'object' || value === null) return { depth: 0, keys: 0 }
  const inner = Object.values(value).map(shapeOf)
  const own = Array.isArray(value) ? 0 : inner.length
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    keys: Math.max(own, ...inner.map(({ keys }) => keys)),
  }
}

describe('the shape of a JSON text', () => {
  it.each([
    ['deeper', '[[[]]]', 2, 9, true],
    ['as deep', '[[[]]]', 3, 9, false],
    ['of an object with more keys', '[{"a":1,"b":2}]', 9, 1, true],
    ['of objects with as many keys each', '[{"a":1},{"b":2}]', 9, 1, false],
    ['of an object with keys on both sides of another', '{"a":1,"b":{"c":2},"d":3}', 9, 2, true],
    ['of one key repeatedly', '{"a":1,"a":1,"a":1}', 9, 2, true],
    ['of brackets in strings', '["{[:\\":{["]', 1, 0, false],
    ['of an unterminated string', '["{{{{::::', 1, 0, false],
    ['of unbalanced closing brackets', ']]]]{"a":1}', 1, 1, false],
  ])('is compared with the limits when it is %s', (_name, text, depth, keys, exceeds) => {
    expect(exceedsJsonShape(text, depth, keys)).toBe(exceeds)
  })

  it('matches the shape of the parsed value, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        const { depth, keys } = shapeOf(JSON.parse(text))
        expect(exceedsJsonShape(text, depth, keys)).toBe(false)
        if (depth > 0) expect(exceedsJsonShape(text, depth - 1, keys)).toBe(true)
        if (keys > 0) expect(exceedsJsonShape(text, depth, keys - 1)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
