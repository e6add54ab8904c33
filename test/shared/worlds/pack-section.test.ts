import { describe, expect, it } from '@jest/globals'
import { readSection, sectionSize } from '../../../shared/worlds/chunk.ts'
import { createSectionPacker } from '../../../shared/worlds/pack-section.ts'

describe('createSectionPacker', () => {
  const pack = createSectionPacker()

  it.each([
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 4],
    [16, 4],
    [17, 8],
    [256, 8],
    [257, 16],
    [4096, 16],
  ])('reads back what it packed of %i kinds, %i bits wide', (kinds, bits) => {
    const blocks = Uint16Array.from({ length: sectionSize }, (_, at) => 60_000 + ((at * 7919) % kinds))
    const section = pack(blocks)
    expect(section?.bits).toBe(bits)
    expect(section?.palette.length).toBe(kinds)
    const read = section && Uint16Array.from({ length: sectionSize }, (_, at) => readSection(section, at))
    expect(read).toEqual(blocks)
  })

  it('makes nothing of air, and no data of a single kind', () => {
    expect(pack(new Uint16Array(sectionSize))).toBeUndefined()
    expect(pack(new Uint16Array(sectionSize).fill(9))).toEqual({ palette: [9], bits: 0, data: new Uint8Array(0) })
  })
})
