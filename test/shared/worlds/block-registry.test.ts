import { describe, expect, it } from '@jest/globals'
import { createBlockRegistry } from '../../../shared/worlds/block-registry.ts'

const create = () =>
  createBlockRegistry([
    { id: 'stone', name: 'Stone', colour: 0x808080, solid: true },
    { id: 'water', name: 'Water', colour: 0x3050c0, solid: false },
  ])

describe('a block registry', () => {
  it('tells clients of air, the placeholder and the kinds in their order', () => {
    expect(create().types.map(({ index, id, solid }) => [index, id, solid])).toEqual([
      [0, 'air', false],
      [1, 'unknown', true],
      [2, 'stone', true],
      [3, 'water', false],
    ])
  })

  it('finds what may be placed or broken into, and neither the placeholder nor an unknown id', () => {
    const registry = create()
    expect(registry.find('air')?.index).toBe(0)
    expect(registry.find('stone')).toEqual({ index: 2, id: 'stone', name: 'Stone', colour: 0x808080, solid: true })
    expect(registry.find('unknown')).toBeUndefined()
    registry.intern('cheese')
    expect(registry.find('cheese')).toBeUndefined()
    expect(registry.find('')).toBeUndefined()
    expect(registry.find('constructor')).toBeUndefined()
  })

  it('gives each unknown id one index of its own, under which it keeps its id', () => {
    const registry = create()
    const cheese = registry.intern('cheese')
    const ham = registry.intern('ham')
    expect(new Set([0, 1, 2, 3, cheese, ham]).size).toBe(6)
    expect(registry.intern('cheese')).toBe(cheese)
    expect([registry.idOf(cheese), registry.idOf(ham)]).toEqual(['cheese', 'ham'])
    expect(registry.types).toHaveLength(4)
  })

  it('interns a known id as what it is', () => {
    const registry = create()
    expect(['air', 'unknown', 'stone', 'water'].map(registry.intern)).toEqual([0, 1, 2, 3])
    expect([0, 1, 2, 3].map(registry.idOf)).toEqual(['air', 'unknown', 'stone', 'water'])
  })

  it('shows clients the placeholder for an unknown id, which is solid', () => {
    const registry = create()
    const cheese = registry.intern('cheese')
    expect([0, 1, 2, 3, cheese].map(registry.wireIndex)).toEqual([0, 1, 2, 3, 1])
    expect([0, 1, 2, 3, cheese].map(registry.isSolid)).toEqual([false, true, true, false, true])
  })
})
