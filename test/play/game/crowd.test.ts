import { expect, it } from '@jest/globals'
import { createCrowd } from '../../../play/game/crowd.ts'
import { colourOfPlayer } from '../../../play/render/people/figures.ts'

const at = (playerId: string, x: number, z = 0) => ({ playerId, displayName: playerId, x, y: 64, z, yaw: 90, pitch: -10 })

it('places each visible player, always in the same colour', () => {
  const [pose] = createCrowd().pose([at('ann', 5)], 0.016)
  expect(pose).toMatchObject({ x: 5, y: 64, z: 0, yaw: 90, pitch: -10, stride: 0, swing: 0, shirt: colourOfPlayer('ann') })
  expect(colourOfPlayer('ann')).not.toBe(colourOfPlayer('bob'))
})

it('moves the legs with the feet, and stops them', () => {
  const crowd = createCrowd()
  crowd.pose([at('ann', 0)], 0.05)
  const { stride, swing } = { ...crowd.pose([at('ann', 0.2)], 0.05)[0] }
  expect(stride).toBeCloseTo(0.52)
  expect(swing).toBeCloseTo(0.5)
  for (let picture = 0; picture < 60; picture += 1) crowd.pose([at('ann', 0.2)], 0.05)
  const still = crowd.pose([at('ann', 0.2)], 0.05)[0]
  expect(still?.stride).toBeCloseTo(0.52)
  expect(still?.swing).toBeLessThan(0.001)
})

it('does not run through a teleport', () => {
  const crowd = createCrowd()
  crowd.pose([at('ann', 0)], 0.05)
  expect(crowd.pose([at('ann', 500)], 0.05)[0]?.stride).toBeCloseTo(5.2)
})

it('forgets a player who left, even while others stay', () => {
  const crowd = createCrowd()
  crowd.pose([at('ann', 0), at('bob', 0)], 0.05)
  crowd.pose([at('ann', 1), at('bob', 1)], 0.05)
  crowd.pose([at('bob', 1)], 0.05)
  const [bob, ann] = crowd.pose([at('bob', 1), at('ann', 3)], 0.05)
  expect(bob?.stride).toBeCloseTo(2.6)
  expect(ann?.stride).toBe(0)
  // One player leaves as another joins.
  crowd.pose([at('eve', 0), at('bob', 1)], 0.05)
  expect(crowd.pose([at('ann', 5), at('bob', 1)], 0.05)[0]?.stride).toBe(0)
})
