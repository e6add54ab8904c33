import { describe, expect, it } from '@jest/globals'
import { createBlockRegistry, registryOf } from '../../../../shared/domain/worlds/chunks/block-registry.ts'
import { createBlockNames, readBlockTable } from '../../../../tools/world/minecraft/block-names.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'

const registry = registryOf(createFixedConfigs().get('blocks.yaml'))
const table = await readBlockTable()
const matchOf = createBlockNames(table, registry)
const become = (name: string, waterlogged = false): string => {
  const { index, likeness } = matchOf({ name, waterlogged })
  return `${registry.idOf(index)} ${likeness}`
}

describe('the table of Minecraft blocks', () => {
  it('contains only shipped blocks', () => {
    const named = [...table.blocks, ...table.nearest].map(({ block }) => block)
    expect([...named, table.otherwise].filter((id) => registry.find(id) === undefined)).toEqual([])
  })

  it.each([
    ['stone', 'stone as'],
    ['deepslate', 'stone as'],
    ['grass_block', 'grass as'],
    ['deepslate_iron_ore', 'iron_ore as'],
    ['birch_log', 'birch_log as'],
    ['stripped_birch_wood', 'birch_log as'],
    ['jungle_leaves', 'oak_leaves as'],
    ['cherry_planks', 'planks as'],
    ['red_wool', 'wool as'],
    ['water', 'water as'],
    ['kelp_plant', 'water as'],
    ['lava', 'lava as'],
    ['cave_air', 'air as'],
    ['void_air', 'air as'],
    ['sea_lantern', 'glowstone as'],
    ['grass', 'air left-out'],
    ['oak_sapling', 'air left-out'],
    ['wall_torch', 'air left-out'],
    ['lantern', 'air left-out'],
    ['copper_ore', 'iron_ore guess'],
    ['red_concrete', 'wool guess'],
    ['oak_stairs', 'planks guess'],
    ['stone_brick_slab', 'stone_bricks guess'],
    ['cobblestone_wall', 'cobblestone guess'],
    ['somebodys_mod:purple_stonework', 'stone guess'],
    ['nobody_ever_heard_of_it', 'stone guess'],
  ])('maps %s to %s', (name, expected) => expect(become(name)).toBe(expected))

  it('keeps water only in place of blocks that are left out', () => {
    expect(become('oak_sapling', true)).toBe('water left-out')
    expect(become('oak_stairs', true)).toBe('planks guess')
  })

  it('maps a block to a likely one when its usual one is not in blocks.yaml', () => {
    const few = createBlockRegistry([{ id: 'mud', name: 'Mud', colour: 1, solid: true }])
    const { index, likeness } = createBlockNames(table, few)({ name: 'oak_log', waterlogged: false })
    expect([few.idOf(index), likeness]).toEqual(['mud', 'guess'])
  })
})
