import { describe, expect, it } from '@jest/globals'
import { createHoldsPermission } from '../../../realtime/game/zone-rules.ts'
import { createPermissions } from '../../../shared/domain/permissions/permissions.ts'
import { boxAround, isWithinReach, touchesBody } from '../../../shared/rules/movement/reach.ts'
import { fixtureGroups } from '../../support/accounts/fixture-groups.ts'
import { createEditFixture, type EditFixtureOptions } from '../../support/realtime/edit-fixture.ts'
import { storageFull } from '../../support/worlds/faulty-chunk-store.ts'

const feet = { x: 0.5, y: 64, z: 0.5 }
const eyes = feet.y + 1.62

describe('reach', () => {
  it.each([
    [true, 'exactly seven blocks away along x', { x: 0.5 + 7, y: 65, z: 0 }, { ...feet, x: 0.5 }],
    [true, 'whose near side is seven blocks away', { x: 7, y: 65, z: 0 }, { ...feet, x: 0 }],
    [false, 'whose near side is a hair further', { x: 7, y: 65, z: 0 }, { ...feet, x: -0.001 }],
    [true, 'on the negative side, whose near side is seven blocks away', { x: -8, y: 65, z: 0 }, { ...feet, x: 0 }],
    [false, 'on the negative side, a hair further', { x: -8, y: 65, z: 0 }, { ...feet, x: 0.001 }],
    [true, 'above, from the eyes and not from the feet', { x: 0, y: Math.ceil(eyes) + 6, z: 0 }, feet],
    [false, 'above, one too high', { x: 0, y: Math.ceil(eyes) + 7, z: 0 }, feet],
    [true, 'below', { x: 0, y: 58, z: 0 }, feet],
    [false, 'below, one too deep', { x: 0, y: 57, z: 0 }, feet],
    [false, 'over the corner, where each axis alone would do', { x: 6, y: 65, z: 6 }, feet],
    [true, 'around the feet', { x: 0, y: 64, z: 0 }, feet],
  ])('is %s for a block %s', (isWithin, _what, block, from) => {
    expect(isWithinReach(from, { ...block, x: Math.floor(block.x) })).toBe(isWithin)
  })
})

describe('a body', () => {
  it.each([
    [true, 'its feet are in', { x: 0, y: 64, z: 0 }],
    [true, 'its head is in', { x: 0, y: 65, z: 0 }],
    [false, 'is above its head', { x: 0, y: 66, z: 0 }],
    [false, 'it stands on', { x: 0, y: 63, z: 0 }],
    [false, 'is beside it', { x: 1, y: 64, z: 0 }],
    [false, 'is beside it', { x: -1, y: 64, z: 0 }],
    [false, 'is before it', { x: 0, y: 64, z: 1 }],
  ])('is %s to touch the block that %s', (touches, _what, block) => {
    expect(touchesBody(feet, { min: block, max: block })).toBe(touches)
  })

  it('touches both blocks when it is between them, and not one that its side only rests on', () => {
    const touches = (at: number, x: number) => touchesBody({ ...feet, x: at }, boxAround([{ x, y: 64, z: 0 }]))
    expect([touches(1, 0), touches(1, 1), touches(0.7, 1)]).toEqual([true, true, false])
  })

  it('touches a box of blocks when it is anywhere inside', () => {
    const box = boxAround([
      { x: -3, y: 60, z: -2 },
      { x: 4, y: 66, z: -5 },
      { x: 1, y: 70, z: 3 },
    ])
    expect(box).toEqual({ min: { x: -3, y: 60, z: -5 }, max: { x: 4, y: 70, z: 3 } })
    expect(touchesBody(feet, box)).toBe(true)
    expect(touchesBody({ ...feet, x: 5.5 }, box)).toBe(false)
    expect(touchesBody({ ...feet, y: 71.5 }, box)).toBe(false)
  })
})

describe('an edit is refused', () => {
  type Block = readonly [number, number, number, string?]
  const near: Block = [16, 70, 16]
  const row = (length: number): Block[] =>
    Array.from({ length }, (_, i): Block => [13 + (i % 7), 62 + (Math.floor(i / 7) % 7), 13 + Math.floor(i / 49)])

  const cases: readonly (readonly [string, string, readonly Block[], EditFixtureOptions?])[] = [
    ['invalid', 'with no blocks', []],
    ['', 'never for 256 blocks', row(256).map(([x, y, z]): Block => [x, y, z, 'water'])],
    ['invalid', 'with 257', row(257)],
    ['invalid', 'with the same block twice', [near, [...near]]],
    ['invalid', 'below the world', [[16, -1, 16]]],
    ['invalid', 'above the world', [[16, 256, 16]]],
    ['invalid', 'beyond its edge', [[30_000_000, 70, 16]]],
    ['invalid', 'at no number', [[Number.NaN, 70, 16]]],
    ['invalid', 'between blocks', [[16.5, 70, 16]]],
    ['unknown-block', 'for a type that there is not', [[16, 70, 16, 'marzipan']]],
    ['unknown-block', 'for no type', [[16, 70, 16, '']]],
    ['unknown-block', 'for the placeholder', [[16, 70, 16, 'unknown']]],
    ['unknown-block', 'for a name of objects', [[16, 70, 16, 'constructor']]],
    ['missing-permission: world.build', 'without the permission', [near], { holds: () => false }],
    [
      'missing-permission: world.build',
      'without the permission before anything of the place is told',
      [[99, 70, 16]],
      { holds: () => false },
    ],
    ['out-of-reach', 'out of reach', [[24, 64, 16]]],
    ['out-of-reach', 'far away, where nothing is loaded', [[5000, 70, 16]]],
    ['occupied', 'where the player stands', [[16, 65, 16]]],
    ['', 'never where the player stands, for water', [[16, 65, 16, 'water']]],
    ['', 'never where the player stands, for air', [[16, 65, 16, 'air']]],
    ['zone-closed', 'when the guard has a reason', [near], { guard: () => ({ reason: 'zone-closed' }) }],
  ]

  it.each(cases)('as "%s" %s', (reason, _what, blocks, options = {}) => {
    const { place, join, memory, tick } = createEditFixture(options)
    const ann = join('ann')
    place(ann, 5, ...blocks)
    tick()
    expect(ann.answers.filter(({ ok }) => !ok)).toMatchObject(reason === '' ? [] : [{ seq: 5, ok: false, reason }])
    if (reason !== '') expect(memory().size).toBe(0)
  })

  it('as a whole when one block of it is refused', () => {
    const { place, join, memory } = createEditFixture()
    const ann = join('ann')
    place(ann, 1, near, [16, 65, 16])
    expect(ann.answers).toEqual([{ seq: 1, ok: false, reason: 'occupied', index: 1 }])
    expect(memory().size).toBe(0)
  })

  it.each([
    ['a block outside the world', [near, [16, 300, 16]], 1],
    ['the second of two edits of one block', [near, [17, 70, 16], [...near]], 2],
    ['an unknown type', [near, [17, 70, 16, 'marzipan']], 1],
    ['a block out of reach', [near, [17, 70, 16], [24, 64, 16]], 2],
    ['no blocks', [], undefined],
  ] as const)('with the index of %s', (_what, blocks, index) => {
    const { place, join } = createEditFixture()
    const ann = join('ann')
    place(ann, 1, ...(blocks as readonly Block[]))
    expect(ann.answers.map((answer) => answer.index)).toEqual([index])
  })

  it('as not-loaded when the column within reach is not in memory', () => {
    const { place, join, memory } = createEditFixture()
    const ann = join('ann', { x: 31.5, y: 64, z: 16.5 })
    place(ann, 1, [30, 66, 16], [32, 66, 16])
    expect(ann.answers).toEqual([{ seq: 1, ok: false, reason: 'not-loaded', index: 1 }])
    expect(memory().size).toBe(0)
  })

  it('as occupied by any player', () => {
    const { place, join } = createEditFixture()
    const ann = join('ann')
    join('bob', { x: 13.5, y: 63.2, z: 16.5 })
    for (const [seq, y] of [62, 63, 64, 65].entries()) place(ann, seq, [13, y, 16])
    expect(ann.answers.map(({ seq, reason }) => [seq, reason])).toEqual([
      [1, 'occupied'],
      [2, 'occupied'],
    ])
  })

  it('with the fault that prevents storing rather than its place', async () => {
    const { place, join, tick, chunks, writer } = createEditFixture()
    const ann = join('ann')
    chunks.refuse(storageFull)
    place(ann, 1, near)
    tick()
    await writer.settle()
    tick()
    place(ann, 2, [24, 64, 16])
    place(ann, 3, [16, 70, 16, 'marzipan'])
    expect(ann.answers.slice(1).map(({ reason }) => reason)).toEqual(['storage-full', 'unknown-block'])
  })
})

describe('the permission to build', () => {
  const permissions = createPermissions(fixtureGroups)
  it.each([
    [true, ['player'], false],
    [true, ['builder'], true],
    [true, ['admin'], false],
    [false, [], true],
    [false, ['config-writer'], true],
    [false, ['player', 'jailed'], true],
    [false, ['admin', 'jailed'], true],
  ] as const)('is %s for the groups %j, signed in by password: %s', (isHeld, groups, verified) => {
    const holds = createHoldsPermission(permissions, () => ({}))
    expect(holds({ verified, account: { groups } } as never, 'world.build', { x: 0, y: 64, z: 0 })).toBe(isHeld)
  })
})
