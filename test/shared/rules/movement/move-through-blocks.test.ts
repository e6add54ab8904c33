import { describe, expect, it } from '@jest/globals'
import { findBlockRefusal } from '../../../../shared/rules/movement/move-through-blocks.ts'
import { createBlockMap } from '../../../support/worlds/block-map.ts'

type Triple = readonly [x: number, y: number, z: number]

const place = ([x, y, z]: Triple) => ({ x, y, z })
const refusal = (blocks: readonly Triple[], from: Triple, to: Triple) =>
  findBlockRefusal(createBlockMap(blocks), place(from), place(to))

const floor = Array.from({ length: 400 }, (_, i): Triple => [(i % 20) - 10, 63, Math.floor(i / 20) - 10])
const wall = (x: number): Triple[] => Array.from({ length: 60 }, (_, i): Triple => [x, 64 + (i % 3), Math.floor(i / 3) - 10])
const ceiling = floor.map(([x, , z]): Triple => [x, 66, z])

describe('a step through blocks', () => {
  it.each<[string, readonly Triple[], Triple, Triple]>([
    ['through air', [], [0.5, 64, 0.5], [11.5, 64, 0.5]],
    ['up through air', [], [0.5, 64, 0.5], [0.5, 104, 0.5]],
    ['along a floor', floor, [0.5, 64, 0.5], [8.5, 64, 5.25]],
    ['down onto a floor', floor, [0.5, 100, 0.5], [0.5, 64, 0.5]],
    ['onto a floor, seen to 1/64 block', floor, [0.5, 70, 0.5], [0.5, 64 - 1 / 64, 0.5]],
    ['up against a wall', [...floor, ...wall(2)], [0.5, 64, 0.5], [1.7, 64, 0.5]],
    ['up against a wall, seen to 1/64 block', [...floor, ...wall(2)], [0.5, 64, 0.5], [1.7 + 1 / 64, 64, 0.5]],
    ['along a wall that it touches', [...floor, ...wall(2)], [1.7, 64, -5], [1.7, 64, 5]],
    ['under a ceiling', [...floor, ...ceiling], [0.5, 64, 0.5], [5.5, 64, 5.5]],
    ['jumping up to a ceiling', [...floor, ...ceiling], [0.5, 64, 0.5], [0.5, 64.2, 0.5]],
    ['through a doorway of one block', wall(2).filter(([, , z]) => z !== 0), [0.5, 64, 0.5], [4.5, 64, 0.5]],
    ['up a stair', [...floor, [1, 64, 0]], [0.5, 64, 0.5], [1.5, 65, 0.5]],
    ['down a stair', [...floor, [1, 64, 0]], [1.5, 65, 0.5], [0.5, 64, 0.5]],
    ['over a wall that ends below', wall(2), [0.5, 67, 0.5], [4.5, 67, 0.5]],
    ['around a corner in two steps: the first', [[1, 64, 0]], [0.5, 64, 0.5], [0.5, 64, 1.5]],
    ['around a corner in two steps: the second', [[1, 64, 0]], [0.5, 64, 1.5], [1.5, 64, 1.5]],
    ['above the world', [[2, 255, 0]], [0.5, 256, 0.5], [4.5, 256, 0.5]],
    ['of no length', floor, [0.5, 64, 0.5], [0.5, 64, 0.5]],
    ['across the origin to negative coordinates', floor, [0.5, 64, 0.5], [-3.5, 64, -3.5]],
  ])('is allowed %s', (_what, blocks, from, to) => {
    expect(refusal(blocks, from, to)).toBeUndefined()
  })

  it.each<[string, readonly Triple[], Triple, Triple]>([
    ['into a wall', wall(2), [0.5, 64, 0.5], [1.75, 64, 0.5]],
    ['through a wall of one block', wall(2), [0.5, 64, 0.5], [4.5, 64, 0.5]],
    ['through a wall and back to this side of it in height', wall(2), [0.5, 64, 0.5], [4.5, 64.5, 0.5]],
    ['through a wall from the other side', wall(-2), [0.5, 64, 0.5], [-4.5, 64, 0.5]],
    ['through a single block, 11 blocks away', [[10, 65, 0]], [0.5, 64, 0.5], [11.5, 64, 0.5]],
    ['through a floor', floor, [0.5, 64, 0.5], [0.5, 61, 0.5]],
    ['through a floor in a long fall', floor, [0.5, 90, 0.5], [0.5, 50, 0.5]],
    ['through a ceiling', ceiling, [0.5, 64, 0.5], [0.5, 66, 0.5]],
    ['with the head into a ceiling', ceiling, [0.5, 64, 0.5], [0.5, 64.3, 0.5]],
    ['through a gap one block high', [...floor, [2, 65, 0]], [0.5, 64, 0.5], [4.5, 64, 0.5]],
    ['across the corner of a block', [[1, 64, 0]], [0.5, 64, 0.5], [1.5, 64, 1.5]],
    [
      'between two blocks that touch at a corner',
      [
        [1, 64, 0],
        [0, 64, 1],
      ],
      [0.5, 64, 0.5],
      [1.5, 64, 1.5],
    ],
    ['beside a block that a shoulder hits', [[2, 64, 1]], [0.5, 64, 0.75], [4.5, 64, 0.75]],
    ['up a stair under a low ceiling', [...floor, [1, 64, 0], [0, 66, 0]], [0.5, 64, 0.5], [1.5, 65, 0.5]],
    ['into the top layer of the world', [[2, 255, 0]], [0.5, 255.5, 0.5], [4.5, 255.5, 0.5]],
  ])('is refused %s', (_what, blocks, from, to) => {
    expect(refusal(blocks, from, to)).toBe('blocked')
  })

  it('passes through blocks that are not solid', () => {
    const water = createBlockMap([
      [1, 64, 0, 'water'],
      [1, 65, 0, 'water'],
    ])
    expect(findBlockRefusal(water, place([0.5, 64, 0.5]), place([1.5, 64, 0.5]))).toBeUndefined()
  })
})

describe('a step with missing columns', () => {
  const world = () => createBlockMap(floor, (cx) => cx === 0)

  it.each<[string, Triple, Triple]>([
    ['into one', [15.5, 64, 0.5], [16.5, 64, 0.5]],
    ['that reaches into one with a shoulder', [15.5, 64, 0.5], [15.8, 64, 0.5]],
    ['within one', [17.5, 64, 0.5], [17.5, 64, 0.75]],
    ['through one to beyond', [-0.5, 64, 0.5], [-0.5, 60, 0.5]],
    ['down into one from above the world', [20.5, 256, 0.5], [20.5, 255.5, 0.5]],
  ])('is refused as not loaded %s', (_what, from, to) => {
    expect(findBlockRefusal(world(), place(from), place(to))).toBe('not-loaded')
  })

  it.each<[string, Triple, Triple]>([
    ['out of one', [16.2, 64, 0.5], [15.5, 64, 0.5]],
    ['up to its border', [14.5, 64, 0.5], [15.7, 64, 0.5]],
    ['above the world', [15.5, 256, 0.5], [20.5, 260, 0.5]],
    ['from one to another above the world', [20.5, 256, 0.5], [40.5, 256, 0.5]],
  ])('is allowed %s', (_what, from, to) => {
    expect(findBlockRefusal(world(), place(from), place(to))).toBeUndefined()
  })
})

describe('a player inside a block', () => {
  const rock = Array.from(
    { length: 7 * 7 * 7 },
    (_, i): Triple => [(i % 7) - 3, 60 + (Math.floor(i / 7) % 7), Math.floor(i / 49) - 3],
  )
  const shoulder: Triple[] = [
    [1, 64, 0],
    [1, 65, 0],
  ]

  it.each<[string, readonly Triple[], Triple, Triple]>([
    ['moves out of it', shoulder, [0.9, 64, 0.5], [0.5, 64, 0.5]],
    ['moves a little within it on the way out', shoulder, [1.5, 64, 0.5], [1.3, 64, 0.5]],
    ['rises out of it', [[0, 64, 0]], [0.5, 64, 0.5], [0.5, 65, 0.5]],
    ['rises out of the ground and steps aside', [...floor, [0, 64, 0]], [0.5, 64, 0.5], [1.5, 65, 0.5]],
    ['rises in the midst of rock', rock, [0.5, 62, 0.5], [0.5, 64, 0.5]],
  ])('%s', (_what, blocks, from, to) => {
    expect(refusal(blocks, from, to)).toBeUndefined()
  })

  it.each<[string, readonly Triple[], Triple, Triple]>([
    ['moves into the next one', rock, [0.5, 62, 0.5], [1.5, 62, 0.5]],
    ['moves through more of them to the open', rock, [2.5, 62, 0.5], [-5.5, 62, 0.5]],
    ['moves into the next one by rising a little', rock, [0.5, 62, 0.5], [1.5, 62.5, 0.5]],
    ['sinks deeper', rock, [0.5, 62, 0.5], [0.5, 61, 0.5]],
    ['rises far at once', rock, [0.5, 62, 0.5], [0.5, 70, 0.5]],
  ])('is refused when the player %s', (_what, blocks, from, to) => {
    expect(refusal(blocks, from, to)).toBe('blocked')
  })
})

describe('the cost of a step', () => {
  it('reads no block when the body stays in the same blocks', () => {
    const map = createBlockMap(floor)
    expect(findBlockRefusal(map, place([0.5, 64, 0.5]), place([0.6, 64, 0.4]))).toBeUndefined()
    expect(map.reads).toBe(0)
  })

  it('reads each block on the way about once', () => {
    const map = createBlockMap([])
    expect(findBlockRefusal(map, place([0.5, 64, 0.5]), place([11.5, 64, 0.5]))).toBeUndefined()
    expect(map.reads).toBe(1 + 11 * 2)
  })
})
