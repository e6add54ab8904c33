import { describe, expect, it } from '@jest/globals'
import { registryOf } from '../../../../../shared/domain/worlds/chunks/block-registry.ts'
import { createFixedConfigs } from '../../../../support/configs/fixed-configs.ts'

describe('the registry of a config', () => {
  it('has the blocks in their order, with colours as numbers', () => {
    const registry = registryOf({
      blocks: [
        { id: 'stone', name: 'Stone', colour: '#0a0B0c', solid: true },
        { id: 'water', name: 'Water', colour: '#FFffFF', solid: false },
      ],
    })
    expect(registry.listTypes().slice(2)).toEqual([
      { index: 2, id: 'stone', name: 'Stone', colour: 0x0a0b0c, solid: true },
      { index: 3, id: 'water', name: 'Water', colour: 0xffffff, solid: false },
    ])
  })

  it('has every shipped block', () => {
    const config = createFixedConfigs().get('blocks.yaml')
    const registry = registryOf(config)
    for (const { id } of config.blocks) expect(registry.find(id)?.id).toBe(id)
    expect(registry.listTypes()).toHaveLength(config.blocks.length + 2)
  })
})
