import { describe, expect, it } from '@jest/globals'
import { createHeading, headingOf } from '../../../../realtime/world/streaming/view-heading.ts'

const createWalker = () => {
  const place = { x: 100, z: 100, yaw: 90 }
  const heading = createHeading(place)
  let tick = 0
  return {
    place,
    /** Moves by a step in each tick; returns the direction afterwards, in degrees. */
    go: (dx: number, dz: number, ticks = 1): number => {
      let direction = 0
      for (let i = 0; i < ticks; i += 1) {
        place.x += dx
        place.z += dz
        tick += 1
        direction = headingOf(heading, place, tick)
      }
      return direction * 22.5
    },
  }
}

describe('the heading of a player', () => {
  it('is the view direction while they are still', () => {
    const { place, go } = createWalker()
    expect(go(0, 0)).toBe(90)
    place.yaw = 350
    expect(go(0, 0)).toBe(0)
  })

  it.each([
    ['+x', 0.2, 0, 0],
    ['+z', 0, 0.2, 90],
    ['-x', -0.2, 0, 180],
    ['-z', 0, -0.2, 270],
    ['between +x and -z', 0.2, -0.2, 315],
  ])('is %s for a walk in that direction, whatever the view direction', (_what, dx, dz, degrees) => {
    const { go } = createWalker()
    expect(go(dx, dz, 8)).toBe(degrees)
  })

  it('follows a player who turns back within a block or two', () => {
    const { go } = createWalker()
    expect([go(0.2, 0, 20), go(-0.2, 0, 10)]).toEqual([0, 180])
  })

  it('is the view direction again a second after their last step', () => {
    const { go } = createWalker()
    expect([go(-0.2, 0, 20), go(0, 0, 15), go(0, 0, 10)]).toEqual([180, 180, 90])
  })

  it('is the view direction after a teleport', () => {
    const { go } = createWalker()
    expect([go(-0.2, 0, 20), go(-5000, 0)]).toEqual([180, 90])
  })
})
