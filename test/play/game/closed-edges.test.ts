import { expect, it } from '@jest/globals'
import { createClosedEdges } from '../../../play/game/closed-edges.ts'

const outside = { x: 15.5, z: 8 }
const inside = { x: 16.2, z: 8.4 }

it('lets everybody go anywhere until the server has said otherwise', () => {
  const edges = createClosedEdges()
  expect(edges.hold(outside, inside, 0)).toBe(inside)
  edges.note(outside, { x: 14, z: 8 }, 0)
  expect(edges.hold(outside, inside, 0)).toBe(inside)
})

it('stops at the edge, slides along it, and asks again after a while', () => {
  const edges = createClosedEdges()
  edges.note(outside, inside, 1_000)
  expect(edges.hold(outside, inside, 1_100)).toEqual({ x: 15.5, z: 8.4 })
  expect(edges.hold({ x: 15.5, z: 15.9 }, { x: 15.6, z: 16.1 }, 1_100)).toEqual({ x: 15.6, z: 16.1 })
  expect(edges.hold(outside, inside, 3_100)).toBe(inside)
})

it('lets who is inside walk about and out', () => {
  const edges = createClosedEdges()
  edges.note(outside, inside, 0)
  const further = { x: 20, z: 9 }
  expect(edges.hold(inside, further, 10)).toBe(further)
  expect(edges.hold(inside, outside, 10)).toBe(outside)
})

it('stops in a corner between two of them', () => {
  const edges = createClosedEdges()
  const corner = { x: 15.9, z: 15.9 }
  for (const to of [
    { x: 16.1, z: 15.9 },
    { x: 15.9, z: 16.1 },
    { x: 16.1, z: 16.1 },
  ])
    edges.note(corner, to, 0)
  expect(edges.hold(corner, { x: 16.1, z: 16.1 }, 10)).toEqual(corner)
})
