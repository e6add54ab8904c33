import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { checkNbt, readMinecraftColumn } from '../../../../tools/world/minecraft/read-minecraft-column.ts'
import { columnNbt } from '../../../support/worlds/region-writer.ts'

const names = Array.from({ length: 20 }, (_, n) => `block_${n}`)
const column = await columnNbt({ cx: 0, cz: 0, sections: [{ y: 0, names, entries: (at) => at % 20 }] })

/** A root compound with one tag. */
const holding = (type: number, ...payload: readonly number[]): Uint8Array =>
  Uint8Array.from([10, 0, 0, type, 0, 1, 0x61, ...payload, 0])

describe('the check of an NBT document', () => {
  it('accepts a real document', () => {
    expect(checkNbt(column)).toBeUndefined()
  })

  it.each([
    ['an int array', holding(11, 0x7f, 0xff, 0xff, 0xff)],
    ['a long array', holding(12, 0x7f, 0xff, 0xff, 0xff)],
    ['a byte array', holding(7, 0x7f, 0xff, 0xff, 0xff)],
    ['an array of less than nothing', holding(11, 0xff, 0xff, 0xff, 0xff)],
    ['a list of strings', holding(9, 8, 0x7f, 0xff, 0xff, 0xff)],
    ['a string', holding(8, 0xff, 0xff)],
  ])('refuses %s that claims more than there is, at no cost', (_, bytes) => {
    expect(checkNbt(bytes)).toBe('a length is past its end')
  })

  it('refuses deep nesting and too many values', () => {
    const deep = Uint8Array.from([10, 0, 0, ...Array.from({ length: 2000 }, () => [10, 0, 0]).flat(), ...Array(2001).fill(0)])
    expect(checkNbt(deep)).toBe('it is nested too deeply')
    const many = new Uint8Array(2_000_020)
    many.set([10, 0, 0, 9, 0, 1, 0x61, 10, 0, 0x1e, 0x84, 0x80])
    expect(checkNbt(many)).toBe('it has more values than any column')
  })

  it('refuses a root that is not a compound and an unknown tag, and ignores bytes after the end', () => {
    expect(checkNbt(Uint8Array.from([9, 0, 0]))).toBe('its root is not a compound')
    expect(checkNbt(holding(77))).toBe('there is no tag of type 77')
    expect(checkNbt(Uint8Array.from([10, 0, 0, 0, 99]))).toBeUndefined()
    expect(checkNbt(new Uint8Array(0))).toBe('a length is past its end')
  })

  it('prevents exceptions in the parser for damaged columns of any kind', async () => {
    const damage = fc.array(fc.tuple(fc.nat(column.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(column.length), async (changes, cut) => {
        const bytes = Uint8Array.from(column)
        for (const [at, byte] of changes) bytes[at] = byte
        for (const hurt of [bytes, column.subarray(0, cut)]) {
          const read = await readMinecraftColumn(hurt, { cx: 0, cz: 0 })
          expect('sections' in read || 'reason' in read).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })
})
