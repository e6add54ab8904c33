import { describe, expect, it } from '@jest/globals'
import { createBlockRegistry } from '../../../../../shared/domain/worlds/chunks/block-registry.ts'
import { createGenerator, isGenerator } from '../../../../../shared/domain/worlds/generation/generators.ts'

const currentGenerator = 'terrain-1'

const create = (version: string, settings: unknown = {}) =>
  createGenerator({ version, seed: 1, settings, registry: createBlockRegistry([]) })
const unusable = (detail: string) =>
  expect.objectContaining({ kind: 'unavailable', slug: 'world-unusable', publicDetail: expect.stringContaining(detail) })

describe('createGenerator', () => {
  it('has a current version for new worlds, and fills in missing settings', () => {
    expect(isGenerator(currentGenerator)).toBe(true)
    expect(create(currentGenerator).seaLevel).toBe(62)
    expect(create(currentGenerator, { seaLevel: 40 }).seaLevel).toBe(40)
  })

  it('refuses a version of a newer server', () => {
    expect(isGenerator('terrain-2')).toBe(false)
    expect(() => create('terrain-2')).toThrow(unusable('newer server'))
    expect(() => create('constructor')).toThrow(unusable('newer server'))
  })

  it('refuses invalid settings', () => {
    for (const settings of [null, 'hills', { seaLevel: 'high' }, { rivers: true }])
      expect(() => create(currentGenerator, settings)).toThrow(unusable('settings'))
  })

  it('generates terrain with the default ids when blocks.yaml has none of its blocks', () => {
    const registry = createBlockRegistry([])
    const chunk = createGenerator({ version: 'terrain-1', seed: 1, settings: {}, registry }).generate(0, 0)
    expect(chunk.sections[0]?.palette.map(registry.idOf)).toEqual(expect.arrayContaining(['stone', 'bedrock']))
  })
})
