import { describe, expect, it } from '@jest/globals'
import { createSectionPacker } from '../../../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { air, readSection, sectionSize } from '../../../../../shared/rules/chunks/chunk.ts'

/** Air in the lower section, and this number of kinds in the upper one. */
const packKinds = (kinds: number) => {
  const indexes = Array.from({ length: Math.max(2, kinds) }, (_, place) => (place === 0 ? air : 60_000 - place))
  const blocks = Uint8Array.from({ length: 2 * sectionSize }, (_, at) => (at < sectionSize ? 0 : (at * 7919) % kinds))
  return { indexes, blocks, pack: createSectionPacker({ blocks, indexes }) }
}

describe('createSectionPacker', () => {
  it.each([
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 4],
    [16, 4],
    [17, 8],
    [256, 8],
  ])('round-trips %i kinds, %i bits wide', (kinds, bits) => {
    const { blocks, indexes, pack } = packKinds(kinds)
    const section = pack(1)
    expect(section).toMatchObject({ bits, palette: indexes })
    const read = section && Array.from({ length: sectionSize }, (_, at) => readSection(section, at))
    expect(read).toEqual(Array.from(blocks.subarray(sectionSize), (block) => indexes[block]))
  })

  it('packs air to nothing, and a single kind without data', () => {
    const { blocks, indexes, pack } = packKinds(2)
    expect(pack(0)).toBeUndefined()
    blocks.fill(1)
    expect(pack(0)).toEqual({ palette: [indexes[1]], bits: 0, data: new Uint8Array(0) })
  })

  it('includes in a palette only the kinds of its section', () => {
    const { blocks, indexes, pack } = packKinds(9)
    blocks.fill(7, 0, 5)
    expect(pack(0)?.palette).toEqual([air, indexes[7]])
    expect(pack(1)?.palette).toEqual(indexes)
  })
})
