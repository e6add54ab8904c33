import { describe, expect, it } from '@jest/globals'
import { createBlockCache } from '../../../../sdk/world/block-cache.ts'
import { findFooting } from '../../../../sdk/world/ground.ts'
import { blockTypes, groundMessage } from '../../support/block-messages.ts'

/** Ground with a surface at these heights from x = 0 on; the last one continues to x = 15. */
const createGround = (...heights: number[]) => {
  const world = createBlockCache()
  world.begin(blockTypes)
  world.putChunk(groundMessage(0, 0, (x) => heights[Math.min(x, heights.length - 1)] ?? 0))
  return world
}

describe('the footing of a walking player', () => {
  it.each([
    ['stays on flat ground', [63], { x: 5, y: 64 }, 64],
    ['goes up a step as soon as the body touches it', [63, 64], { x: 0.8, y: 64 }, 65],
    ['stays where the step is only near', [63, 64], { x: 0.7, y: 64 }, 64],
    ['goes down a step once the whole body is past the edge', [64, 63], { x: 1.3, y: 65 }, 64],
    ['stays on the edge', [64, 63], { x: 1.2, y: 65 }, 65],
    ['comes down to the ground from a little above', [63], { x: 5, y: 64.5 }, 64],
    ['goes down three blocks at once and no more', [40], { x: 5, y: 64 }, 61],
    ['does not climb a wall of two', [63, 65], { x: 0.8, y: 64 }, 65],
    ['stays where it is where nothing is known', [63], { x: 20, y: 70.25 }, 70.25],
    ['stays at the bottom of the world', [63], { x: 5, y: 0 }, 0],
  ])('%s', (_, heights, { x, y }, footing) => {
    const world = createGround(...heights)
    if (y === 0) world.change([61, 62, 63].map((height) => ({ x: 5, y: height, z: 5, type: 'air' })))
    expect(findFooting(world, { x, y, z: 5.5 })).toBe(footing)
  })

  it('sinks through water', () => {
    const world = createGround(63)
    world.change([{ x: 5, y: 64, z: 5, type: 'water' }])
    expect(findFooting(world, { x: 5.5, y: 65, z: 5.5 })).toBe(64)
  })
})
