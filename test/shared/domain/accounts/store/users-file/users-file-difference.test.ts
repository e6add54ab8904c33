import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { findDifference } from '../../../../../../shared/domain/accounts/store/users-file/users-file-difference.ts'

const parts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 }), { maxLength: 8 })

const differ = async (known: readonly string[], found: string) => {
  const bytes = Buffer.from(found)
  const read = async (offset: number, length: number) => bytes.subarray(offset, offset + length)
  return findDifference(
    known.map((part) => Buffer.from(part)),
    bytes.length,
    read,
    () => undefined,
  )
}

describe('the difference of a file', () => {
  it('combined with the unchanged parts gives the file, and is empty only for an equal file', async () => {
    await fc.assert(
      fc.asyncProperty(parts, parts, async (known, other) => {
        const current = other.join('')
        const difference = await differ(known, current)
        if (difference === undefined) return expect(known.join('')).toBe(current)
        const { sameStart, sameEnd, bytes } = difference
        expect(sameStart + sameEnd).toBeLessThanOrEqual(known.length)
        const [start, end] = [known.slice(0, sameStart), known.slice(known.length - sameEnd)]
        expect([...start, bytes.toString(), ...end].join('')).toBe(current)
        expect(known.join('')).not.toBe(current)
      }),
      { numRuns: 1000 },
    )
  })

  it('in one of many parts keeps all others, over many blocks', async () => {
    const previous = Array.from({ length: 100 }, (_, at) => String.fromCharCode(65 + (at % 50)).repeat(60_000))
    const difference = await differ(previous, previous.with(42, 'new').join(''))
    expect(difference).toEqual({ sameStart: 42, sameEnd: 57, bytes: Buffer.from('new') })
  })
})
