import { describe, expect, it } from '@jest/globals'
import { createBlockRegistry } from '../../../../../shared/domain/worlds/chunks/block-registry.ts'

const create = () =>
  createBlockRegistry([
    { id: 'stone', name: 'Stone', colour: 0x808080, solid: true },
    { id: 'water', name: 'Water', colour: 0x3050c0, solid: false },
  ])

describe('a block registry', () => {
  it('sends clients air, the placeholder and the kinds in their order', () => {
    expect(
      create()
        .listTypes()
        .map(({ index, id, solid }) => [index, id, solid]),
    ).toEqual([
      [0, 'air', false],
      [1, 'unknown', true],
      [2, 'stone', true],
      [3, 'water', false],
    ])
  })

  it('finds blocks that can be placed or broken, but not the placeholder or an unknown id', () => {
    const registry = create()
    expect(registry.find('air')?.index).toBe(0)
    expect(registry.find('stone')).toEqual({ index: 2, id: 'stone', name: 'Stone', colour: 0x808080, solid: true })
    expect(registry.find('unknown')).toBeUndefined()
    registry.intern('cheese')
    expect(registry.find('cheese')).toBeUndefined()
    expect(registry.find('')).toBeUndefined()
    expect(registry.find('constructor')).toBeUndefined()
  })

  it('gives each unknown id an index of its own, and keeps the id', () => {
    const registry = create()
    const cheese = registry.intern('cheese')
    const ham = registry.intern('ham')
    expect(new Set([0, 1, 2, 3, cheese, ham]).size).toBe(6)
    expect(registry.intern('cheese')).toBe(cheese)
    expect([registry.idOf(cheese), registry.idOf(ham)]).toEqual(['cheese', 'ham'])
    expect(registry.listTypes()).toHaveLength(4)
  })

  it('interns a known id as its kind', () => {
    const registry = create()
    expect(['air', 'unknown', 'stone', 'water'].map(registry.intern)).toEqual([0, 1, 2, 3])
    expect([0, 1, 2, 3].map(registry.idOf)).toEqual(['air', 'unknown', 'stone', 'water'])
  })

  it('shows clients a solid placeholder for an unknown id', () => {
    const registry = create()
    const cheese = registry.intern('cheese')
    expect([0, 1, 2, 3, cheese].map(registry.wireIndex)).toEqual([0, 1, 2, 3, 1])
    expect([0, 1, 2, 3, cheese].map(registry.isSolid)).toEqual([false, true, true, false, true])
  })
})

describe('merging blocks into a registry', () => {
  const sand = { id: 'sand', name: 'Sand', colour: 0xe0d090, solid: true }

  it('gives new blocks indexes after all others, unknown ids included, and removes none', () => {
    const registry = create()
    const cheese = registry.intern('cheese')
    registry.merge([sand])
    expect(registry.listTypes().map(({ index, id }) => [index, id])).toEqual([
      [0, 'air'],
      [1, 'unknown'],
      [2, 'stone'],
      [3, 'water'],
      [cheese + 1, 'sand'],
    ])
    expect(registry.find('sand')).toEqual({ ...sand, index: cheese + 1 })
    expect(registry.wireIndex(cheese + 1)).toBe(cheese + 1)
    expect(registry.intern('sand')).toBe(cheese + 1)
  })

  it('changes colour and solidity under the same index', () => {
    const registry = create()
    registry.merge([{ id: 'stone', name: 'Rock', colour: 0x101010, solid: false }])
    expect(registry.find('stone')).toEqual({ index: 2, id: 'stone', name: 'Rock', colour: 0x101010, solid: false })
    expect(registry.isSolid(2)).toBe(false)
    expect(registry.listTypes()).toHaveLength(4)
  })

  it('defines an unknown id later under the index that it has in memory', () => {
    const registry = create()
    const index = registry.intern('sand')
    expect([registry.wireIndex(index), registry.typeOf(index).id, registry.isSolid(index)]).toEqual([1, 'unknown', true])
    registry.merge([{ ...sand, solid: false }])
    expect([registry.wireIndex(index), registry.typeOf(index).id, registry.isSolid(index)]).toEqual([index, 'sand', false])
  })
})
