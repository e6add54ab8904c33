import { describe, expect, it } from '@jest/globals'
import { findGround } from '../../../../shared/rules/movement/reach.ts'
import { createBlockMap, type MapBlock } from '../../../support/worlds/block-map.ts'

type Block = readonly [x: number, y: number, z: number, block?: MapBlock]

const pillar = (from: number, to: number, block: MapBlock = 'stone'): Block[] =>
  Array.from({ length: to - from + 1 }, (_, i) => [0, from + i, 0, block])

describe('the ground', () => {
  it.each<[string, readonly Block[], number, number]>([
    ['below, from the air', pillar(0, 63), 100, 64],
    ['at the current position', pillar(0, 63), 64, 64],
    ['at the current position, to 1/64 block', pillar(0, 63), 64 - 1 / 64, 64],
    ['below, from above the world', pillar(0, 63), 512, 64],
    ['above, from inside of rock', pillar(0, 63), 10, 64],
    ['above, when only the head is in a block', [...pillar(0, 63), [0, 65, 0]], 64, 66],
    ['in a cave and not on the hill above it', [...pillar(0, 20), ...pillar(25, 80)], 23, 21],
    ['above a cave too low to stand in', [...pillar(0, 20), ...pillar(22, 80)], 21, 81],
    ['on water, from the air', [...pillar(0, 40), ...pillar(41, 62, 'water')], 90, 63],
    ['on water, from under it', [...pillar(0, 40), ...pillar(41, 62, 'water')], 50, 63],
    ['on the lowest block', pillar(0, 0), 5, 1],
    ['on top of a full world', pillar(0, 255), 100, 256],
    ['the top of an empty world', [], 100, 256],
  ])('is %s', (_what, blocks, y, ground) => {
    expect(findGround(createBlockMap(blocks), { x: 0.5, y, z: 0.5 })).toBe(ground)
  })

  it('supports the body wherever it touches a block, so that no player is put into a wall', () => {
    const step = createBlockMap([...pillar(0, 63), [1, 64, 0], [1, 63, 0]])
    expect(findGround(step, { x: 0.5, y: 80, z: 0.5 })).toBe(64)
    expect(findGround(step, { x: 0.9, y: 80, z: 0.5 })).toBe(65)
    expect(findGround(step, { x: 0.9, y: 64, z: 0.5 })).toBe(65)
  })

  it('is unknown when a column that the body touches is not in memory', () => {
    const half = createBlockMap(pillar(0, 63), (cx) => cx === 0)
    expect(findGround(half, { x: 0.5, y: 80, z: 0.5 })).toBe(64)
    expect(findGround(half, { x: 0.1, y: 80, z: 0.5 })).toBeUndefined()
    expect(findGround(half, { x: -3.5, y: 300, z: 0.5 })).toBeUndefined()
  })
})
