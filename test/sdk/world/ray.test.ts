import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fakeBlocks } from '../../../sdk/testing/fake-world.ts'
import { directionOf, findTarget, walkRay } from '../../../sdk/world/ray.ts'

const [air, stone] = fakeBlocks
const worldOf = (isStone: (x: number, y: number, z: number) => boolean) => ({
  blockAt: (x: number, y: number, z: number) => (isStone(x, y, z) ? stone : air),
})
const ground = worldOf((_, y) => y < 64)

describe('a ray through blocks', () => {
  it('finds the block that a player looks at, and the one before it', () => {
    const place = { x: 0.5, y: 64, z: 0.5, yaw: 0, pitch: -45 }
    expect(findTarget(ground, place)).toMatchObject({ block: { x: 2, y: 63, z: 0 }, before: { x: 2, y: 64, z: 0 }, kind: stone })
  })

  it('finds nothing beyond its length, and nothing in the sky', () => {
    expect(walkRay(ground, { x: 0.5, y: 80, z: 0.5 }, { x: 0, y: -1, z: 0 }, 7)).toBeUndefined()
    expect(findTarget(ground, { x: 0.5, y: 64, z: 0.5, yaw: 90, pitch: 60 })).toBeUndefined()
  })

  it('stops at a column that is not loaded', () => {
    const world = { blockAt: (x: number) => (x > 3 ? undefined : air) }
    expect(walkRay(world, { x: 0.5, y: 0.5, z: 0.5 }, { x: 1, y: 0, z: 0 }, 100)).toBeUndefined()
  })

  it('finds the same first block as small steps along it', () => {
    const angle = { yaw: fc.integer({ min: 0, max: 359 }), pitch: fc.integer({ min: -89, max: 89 }) }
    fc.assert(
      fc.property(fc.record(angle), fc.integer({ min: 1, max: 1_000_000 }), (look, seed) => {
        const world = worldOf((x, y, z) => (Math.imul(x * 7919 + y * 104729 + z * 1299709 + seed, 2654435761) >>> 0) % 9 === 0)
        const from = { x: 0.37, y: 0.41, z: 0.53 }
        const along = directionOf(look)
        const hit = walkRay(world, from, along, 12)
        for (let at = 0; at < 11.9; at += 0.003) {
          const block = {
            x: Math.floor(from.x + along.x * at),
            y: Math.floor(from.y + along.y * at),
            z: Math.floor(from.z + along.z * at),
          }
          if (world.blockAt(block.x, block.y, block.z) === air) continue
          expect(hit).toBeDefined()
          const [far, near] = [Math.hypot(block.x - from.x, block.y - from.y, block.z - from.z), hit?.block ?? block]
          expect(Math.hypot(near.x - from.x, near.y - from.y, near.z - from.z)).toBeLessThanOrEqual(far + 2)
          return
        }
      }),
    )
  })
})
