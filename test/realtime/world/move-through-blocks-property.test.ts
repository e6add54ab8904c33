import '../../support/jest/fixed-seed.ts'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { findBlockRefusal } from '../../../shared/rules/movement/move-through-blocks.ts'
import { createBlockMap } from '../../support/worlds/block-map.ts'

type Position = { readonly x: number; readonly y: number; readonly z: number }
type Block = readonly [x: number, y: number, z: number]

const axes = ['x', 'y', 'z'] as const
const below = { x: -0.3 + 1 / 64, y: 1 / 64, z: -0.3 + 1 / 64 }
const above = { x: 0.3 - 1 / 64, y: 1.8 - 1 / 64, z: 0.3 - 1 / 64 }

/**
 * Whether the body touches a block on its straight path. It does if its position passes through the block expanded by the body (a
 * Minkowski sum). `slack` shrinks that box, or expands it if negative.
 */
const passes = ([bx, by, bz]: Block, from: Position, to: Position, slack: number): boolean => {
  const corner = { x: bx, y: by, z: bz }
  let [enter, leave] = [0, 1]
  for (const axis of axes) {
    const [low, high] = [corner[axis] - above[axis] + slack, corner[axis] + 1 - below[axis] - slack]
    const way = to[axis] - from[axis]
    if (way === 0 && (from[axis] <= low || from[axis] >= high)) return false
    if (way === 0) continue
    const [a, b] = [(low - from[axis]) / way, (high - from[axis]) / way]
    enter = Math.max(enter, Math.min(a, b))
    leave = Math.min(leave, Math.max(a, b))
  }
  return enter < leave || (enter === leave && from.x === to.x && from.y === to.y && from.z === to.z)
}

const isIn = (block: Block, at: Position, slack: number): boolean => passes(block, at, at, slack)

const isBlockedStraight = (blocks: readonly Block[], from: Position, to: Position, slack: number): boolean =>
  blocks.some((block) => !isIn(block, from, -slack) && passes(block, from, to, slack))

/** A reference implementation of the rules, block by block. */
const modelRefuses = (blocks: readonly Block[], from: Position, to: Position, slack: number): boolean => {
  if (!isBlockedStraight(blocks, from, to, slack)) return false
  if (to.y === from.y) return true
  const edge = to.y > from.y ? { ...from, y: to.y } : { ...to, y: from.y }
  const isAcrossBlocked = isBlockedStraight(blocks, edge, to, slack)
  if (!isBlockedStraight(blocks, from, edge, slack) && !isAcrossBlocked) return false
  const mayRise = to.y > from.y && to.y - from.y <= 2 && blocks.some((block) => isIn(block, from, slack))
  return !mayRise || isAcrossBlocked
}

const near = (min: number, max: number) =>
  fc.oneof(
    fc.double({ min, max, noNaN: true }),
    fc.integer({ min: min * 64, max: max * 64 }).map((steps) => steps / 64),
    fc.integer({ min: min * 10, max: max * 10 }).map((steps) => steps / 10),
  )
const places = fc.record({ x: near(-3, 3), y: near(62, 68), z: near(-3, 3) })
const blocks = fc.array(
  fc.tuple(fc.integer({ min: -4, max: 3 }), fc.integer({ min: 60, max: 70 }), fc.integer({ min: -4, max: 3 })),
  {
    maxLength: 60,
  },
)

describe('a step through any blocks', () => {
  it('is refused exactly when a block by block model refuses it', () => {
    const seen = { blocked: 0, allowed: 0 }
    fc.assert(
      fc.property(blocks, places, places, (solid, from, to) => {
        const refused = modelRefuses(solid, from, to, 1e-9)
        // Rounding may decide differences of a billionth of a block.
        fc.pre(refused === modelRefuses(solid, from, to, -1e-9))
        seen[refused ? 'blocked' : 'allowed'] += 1
        expect(findBlockRefusal(createBlockMap(solid), from, to)).toBe(refused ? 'blocked' : undefined)
      }),
      { numRuns: 5000 },
    )
    expect(Math.min(seen.blocked, seen.allowed)).toBeGreaterThan(500)
  })

  it('never leads through a closed wall, however it is split into messages', () => {
    const wall = Array.from({ length: 21 * 13 }, (_, i): Block => [0, 58 + (i % 13), Math.floor(i / 13) - 10])
    const step = fc.record({ x: near(-3, 3), y: near(-2, 2), z: near(-2, 2) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const map = createBlockMap(wall)
        const at = { x: -1.5, y: 64, z: 0.5 }
        for (const { x, y, z } of steps) {
          const to = { x: at.x + x, y: Math.min(68, Math.max(58, at.y + y)), z: Math.min(8, Math.max(-8, at.z + z)) }
          if (findBlockRefusal(map, at, to) === undefined) Object.assign(at, to)
        }
        expect(at.x).toBeLessThan(0)
      }),
      { numRuns: 2000 },
    )
  })

  it('never ends in a block for a player outside blocks, whatever the rounding', () => {
    /** Positions at which a body starts to touch a block at 0 along each axis. */
    const edges = { x: [0.3 - 1 / 64, 1 - 0.3 + 1 / 64], y: [-1 / 64, 1.8 - 1 / 64] }
    const close = (values: readonly number[]) =>
      fc
        .tuple(
          fc.constantFrom(...values),
          fc.integer({ min: -3, max: 3 }),
          fc.constantFrom(1, -1),
          fc.integer({ min: -3, max: 3 }),
        )
        .map(([edge, whole, sign, ulps]) => {
          const value = sign * edge + whole
          return value + ulps * Number.EPSILON * Math.max(1, Math.abs(value))
        })
    const exact = fc.record({ x: close(edges.x), y: close(edges.y).map((y) => y + 64), z: close(edges.x) })
    const touches = (solid: readonly Block[], at: Position): boolean =>
      solid.some((block) =>
        axes.every((axis, i) => {
          const [low, high] = [at[axis] + below[axis], at[axis] + above[axis]]
          return Math.floor(low) <= (block[i] ?? 0) && Math.ceil(high) - 1 >= (block[i] ?? 0)
        }),
      )
    let allowed = 0
    fc.assert(
      fc.property(blocks, exact, exact, (solid, from, to) => {
        fc.pre(!touches(solid, from))
        if (findBlockRefusal(createBlockMap(solid), from, to) !== undefined) return
        allowed += 1
        expect(touches(solid, to)).toBe(false)
      }),
      { numRuns: 5000 },
    )
    expect(allowed).toBeGreaterThan(500)
  })
})
