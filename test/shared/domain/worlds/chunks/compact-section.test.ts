import { describe, expect, it } from '@jest/globals'
import { compactSection } from '../../../../../shared/domain/worlds/chunks/compact-section.ts'
import { createChunk, getBlock, type Section, setBlock } from '../../../../../shared/rules/chunks/chunk.ts'

const sectionOf = (indexAt: (at: number) => number): Section => {
  const chunk = createChunk(0, 0)
  for (let at = 0; at < 4096; at += 1) setBlock(chunk, { x: at & 15, y: at >> 8, z: (at >> 4) & 15 }, indexAt(at))
  return chunk.sections[0] ?? { palette: [0], bits: 0, data: new Uint8Array(0) }
}

const blocksOf = (section: Section): number[] => {
  const chunk = { ...createChunk(0, 0), sections: [section] }
  return Array.from({ length: 4096 }, (_, at) => getBlock(chunk, at & 15, at >> 8, (at >> 4) & 15))
}

describe('compactSection', () => {
  it('returns undefined for air, whatever the palette', () => {
    expect(compactSection({ palette: [0], bits: 0, data: new Uint8Array(0) })).toBeUndefined()
    expect(compactSection({ palette: [4, 0], bits: 1, data: new Uint8Array(512).fill(255) })).toBeUndefined()
  })

  it('returns the same section when nothing can be saved', () => {
    for (const kinds of [2, 4, 16, 40, 300]) {
      const section = sectionOf((at) => at % kinds)
      expect(compactSection(section)).toBe(section)
    }
  })

  it.each([
    [1, 2, 1],
    [2, 4, 1],
    [2, 16, 4],
    [3, 40, 2],
    [5, 300, 4],
    [16, 300, 4],
    [17, 300, 8],
    [256, 300, 8],
    [257, 400, 16],
  ])('narrows to the %d kinds that are left of %d', (left, before) => {
    const section = sectionOf((at) => 5000 - (at % before))
    const chunk = { ...createChunk(0, 0), sections: [section] }
    for (let at = 0; at < 4096; at += 1) setBlock(chunk, { x: at & 15, y: at >> 8, z: (at >> 4) & 15 }, 5000 - (at % left))
    const compact = compactSection(section)
    expect(compact?.palette).toHaveLength(left)
    expect(compact?.data).toHaveLength(
      [0, 512, 1024, 2048, 4096, 8192][[1, 2, 4, 16, 256, 4096].findIndex((most) => left <= most)] ?? -1,
    )
    expect(blocksOf(compact ?? section)).toEqual(blocksOf(section))
  })
})
