import { describe, expect, it } from '@jest/globals'
import { createBlockRegistry } from '../../../../../shared/domain/worlds/chunks/block-registry.ts'
import { createGenerator } from '../../../../../shared/domain/worlds/generation/generators.ts'
import { getBlock } from '../../../../../shared/rules/chunks/chunk.ts'

const stone = { id: 'stone', name: 'Stone', colour: 0x808080, solid: true }
const water = { id: 'water', name: 'Water', colour: 0x3355ff, solid: false }
const registry = createBlockRegistry([stone, water])
const flat = (layers: readonly { block: string; height?: number }[]) =>
  createGenerator({ version: 'flat-1', seed: 1, settings: { flat: { layers } }, registry })

describe('flat-1', () => {
  it('stacks the layers from the bottom up, the same in every column', () => {
    const generator = flat([
      { block: 'stone', height: 17 },
      { block: 'water', height: 2 },
    ])
    for (const chunk of [generator.generate(0, 0), generator.generate(-1_875_000, 1_874_999)]) {
      const ids = Array.from({ length: 256 }, (_, y) => registry.idOf(getBlock(chunk, 5, y, 9)))
      expect(ids).toEqual([...Array(17).fill('stone'), ...Array(2).fill('water'), ...Array(237).fill('air')])
      expect(chunk.sections[0]?.bits).toBe(0)
      expect(chunk.sections.slice(2)).toEqual(Array(14).fill(undefined))
    }
    expect(generator.surfaceAt(-5, 1e6)).toBe(16)
  })

  it('keeps the id of an unknown block, and cuts layers above the top of the world', () => {
    const chunk = flat([
      { block: 'marble', height: 255 },
      { block: 'stone', height: 9 },
    ]).generate(3, 3)
    expect(registry.idOf(getBlock(chunk, 0, 254, 0))).toBe('marble')
    expect(registry.idOf(getBlock(chunk, 0, 255, 0))).toBe('stone')
  })

  it('is empty without layers', () => {
    const generator = flat([])
    expect(generator.generate(0, 0).sections.every((section) => section === undefined)).toBe(true)
    expect(generator.surfaceAt(0, 0)).toBe(0)
  })
})
