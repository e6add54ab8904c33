import { describe, expect, it } from '@jest/globals'
import { createBlockRegistry } from '../../../../../shared/domain/worlds/chunks/block-registry.ts'
import { createGenerator, isGenerator } from '../../../../../shared/domain/worlds/generation/generators.ts'

const currentGenerator = 'terrain-1'

const create = (version: string, settings: unknown = {}) =>
  createGenerator({ version, seed: 1, settings, registry: createBlockRegistry([]) })
const unusable = (detail: string) =>
  expect.objectContaining({ kind: 'unavailable', slug: 'world-unusable', publicDetail: expect.stringContaining(detail) })

describe('createGenerator', () => {
  it('knows the version that new worlds get, and fills in settings that are absent', () => {
    expect(isGenerator(currentGenerator)).toBe(true)
    expect(create(currentGenerator).seaLevel).toBe(62)
    expect(create(currentGenerator, { seaLevel: 40 }).seaLevel).toBe(40)
  })

  it('refuses a version that a newer server made', () => {
    expect(isGenerator('terrain-2')).toBe(false)
    expect(() => create('terrain-2')).toThrow(unusable('newer server'))
    expect(() => create('constructor')).toThrow(unusable('newer server'))
  })

  it('refuses settings that it cannot read', () => {
    for (const settings of [null, 'hills', { seaLevel: 'high' }, { rivers: true }])
      expect(() => create(currentGenerator, settings)).toThrow(unusable('settings'))
  })

  it('makes terrain where blocks.yaml has none of its blocks, by their ids', () => {
    const registry = createBlockRegistry([])
    const chunk = createGenerator({ version: 'terrain-1', seed: 1, settings: {}, registry }).generate(0, 0)
    expect(chunk.sections[0]?.palette.map(registry.idOf)).toEqual(expect.arrayContaining(['stone', 'bedrock']))
  })
})
