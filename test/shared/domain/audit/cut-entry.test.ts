import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { AuditEntry } from '../../../../shared/domain/audit/audit-log.ts'
import { cutEntry } from '../../../../shared/domain/audit/cut-entry.ts'

const entryOf = (before: unknown, after: unknown): AuditEntry => ({
  id: 'x'.repeat(128),
  at: '2026-11-23T00:00:00.000Z',
  actor: 'a'.repeat(254),
  action: 'zone.update',
  target: 't'.repeat(254),
  before,
  after,
  via: 'http',
  requestId: 'r'.repeat(128),
  undoes: 'u'.repeat(128),
})
const columns = (count: number) => Array.from({ length: count }, (_, cx) => ({ cx: cx - 30_000_000, cz: 29_999_999 }))
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

describe('an entry in a list', () => {
  it('is complete when it is short', () => {
    const entry = entryOf({ name: 'Arena', chunks: columns(10) }, null)
    expect(cutEntry(entry)).toBe(entry)
  })

  it('omits the longest values, with their length, and keeps the others', () => {
    const [before, after] = [
      { name: 'Arena', chunks: columns(4096) },
      { name: 'Arena', chunks: columns(4095) },
    ]
    const entry = entryOf(before, after)
    const cut = cutEntry(entry)
    expect(cut).toEqual({
      ...entry,
      before: { name: 'Arena', chunks: { cut: bytesOf(before.chunks) } },
      after: { name: 'Arena', chunks: { cut: bytesOf(after.chunks) } },
      cut: bytesOf(entry),
    })
    expect(cutEntry(cut)).toBe(cut)
  })

  it('omits a long state without a long value, or one that is not an object', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]))
    expect(cutEntry(entryOf(many, 'a'.repeat(9000)))).toMatchObject({ before: { cut: bytesOf(many) }, after: { cut: 9002 } })
    expect(cutEntry(entryOf(null, columns(1000)))).toMatchObject({ before: null, after: { cut: expect.any(Number) } })
  })

  it('takes less than 10,000 bytes, whatever it contains: 200 are less than 2 MB', () => {
    const value = fc.anything({ maxDepth: 3, values: [fc.string({ maxLength: 5000, unit: 'grapheme' }), fc.integer()] })
    fc.assert(
      fc.property(value, value, (before, after) => {
        const stored = JSON.parse(JSON.stringify({ before: before ?? null, after: after ?? null }))
        const long = { ...stored.before, long: '\u{1f600}'.repeat(3000) }
        for (const entry of [entryOf(stored.before ?? null, stored.after ?? null), entryOf(long, long)])
          expect(bytesOf(cutEntry(entry))).toBeLessThan(10_000)
      }),
      { numRuns: 300 },
    )
  })
})
