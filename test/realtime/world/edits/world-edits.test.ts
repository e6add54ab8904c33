import { describe, expect, it } from '@jest/globals'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { createEditFixture, type EditFixture, type TestActor } from '../../../support/realtime/edit-fixture.ts'
import { waitFor } from '../../../support/time/wait-for.ts'
import { storedBlocks } from '../../../support/worlds/columns-in-memory.ts'
import { storageFull } from '../../../support/worlds/faulty-chunk-store.ts'

/** Waits for pending work, and runs a tick that publishes it. */
const settle = async ({ writer, tick }: EditFixture): Promise<void> => {
  await writer.settle()
  tick()
}

const attempted = async ({ chunks }: EditFixture, attempts: number): Promise<void> =>
  waitFor(() => chunks.attempts.length >= attempts)

describe('an edit', () => {
  it('is in memory at once, visible in the same tick, and answered ok only when it is durable', async () => {
    const fixture = createEditFixture()
    const { place, join, watch, tick, loaded, chunks, registry, writer } = fixture
    const [ann, viewer] = [join('ann'), watch()]
    const release = chunks.hold()
    place(ann, 7, [17, 64, 17])
    expect(loaded.blockAt(17, 64, 17)).toBe(registry.find('stone')?.index)
    tick()
    expect(viewer.told).toEqual([{ by: 'ann', edits: [{ x: 17, y: 64, z: 17, type: 'stone' }] }])
    await attempted(fixture, 1)
    tick()
    expect(ann.answers).toEqual([])
    release()
    await writer.settle()
    expect(ann.answers).toEqual([])
    tick()
    expect(ann.answers).toEqual([{ seq: 7, ok: true, reason: '' }])
    expect(await storedBlocks(chunks, registry)).toEqual(new Map([['17 64 17', 'stone']]))
  })

  it('of all players of a tick is one transaction', async () => {
    const fixture = createEditFixture()
    const { place, join, tick, chunks } = fixture
    const [ann, bob] = [join('ann'), join('bob')]
    place(ann, 1, [15, 64, 15])
    place(bob, 1, [18, 64, 18], [15, 65, 15])
    place(ann, 2, [15, 64, 18])
    tick()
    await settle(fixture)
    expect(chunks.attempts).toHaveLength(1)
    expect(ann.answers.map(({ seq, ok }) => [seq, ok])).toEqual([
      [1, true],
      [2, true],
    ])
    expect(bob.answers).toEqual([{ seq: 1, ok: true, reason: '' }])
  })

  it('is sent to clients with the column and to no others, each with one write', () => {
    const { place, join, watch, tick } = createEditFixture()
    const ann = join('ann')
    const [one, both, none] = [watch(['0 0']), watch(['0 0', '1 1']), watch(['0 1'])]
    place(ann, 1, [15, 64, 15], [17, 64, 17])
    tick()
    expect(one.told).toEqual([{ by: 'ann', edits: [{ x: 15, y: 64, z: 15, type: 'stone' }] }])
    expect([one.writes, both.writes, none.writes]).toEqual([1, 1, 0])
    expect(both.blocks).toEqual(
      new Map([
        ['15 64 15', 'stone'],
        ['17 64 17', 'stone'],
      ]),
    )
  })

  it('is sent in the order of the tick, in both kinds of frame, with the last state of a block', () => {
    const { place, join, watch, tick } = createEditFixture()
    const [ann, bob] = [join('ann'), join('bob')]
    const [binary, text] = [watch(), watch(undefined, 'text')]
    place(ann, 1, [15, 64, 15])
    place(ann, 2, [15, 64, 15, 'water'], [15, 64, 14])
    place(bob, 1, [15, 64, 14, 'air'])
    tick()
    expect(binary.told).toEqual([
      {
        by: 'ann',
        edits: [
          { x: 15, y: 64, z: 15, type: 'water' },
          { x: 15, y: 64, z: 14, type: 'stone' },
        ],
      },
      { by: 'bob', edits: [{ x: 15, y: 64, z: 14, type: 'air' }] },
    ])
    expect(text.told).toEqual(binary.told)
  })

  it('without a change is ok at once if all is durable, and otherwise waits', async () => {
    const fixture = createEditFixture()
    const { place, join, tick, watch } = fixture
    const [ann, bob, viewer] = [join('ann'), join('bob'), watch()]
    place(ann, 1, [15, 64, 15, 'air'])
    expect(ann.answers).toEqual([{ seq: 1, ok: true, reason: '' }])
    place(ann, 2, [15, 64, 15])
    place(bob, 1, [15, 64, 15])
    tick()
    expect(bob.answers).toEqual([])
    await settle(fixture)
    expect(bob.answers).toEqual([{ seq: 1, ok: true, reason: '' }])
    expect(viewer.told).toHaveLength(1)
  })

  it('stays, and blocks nothing, when its sender is gone before it is durable', async () => {
    const fixture = createEditFixture()
    const { place, join, tick, chunks, registry } = fixture
    const ann = join('ann')
    place(ann, 1, [15, 64, 15])
    tick()
    Object.assign(ann, { connection: undefined })
    await settle(fixture)
    expect(ann.answers).toEqual([])
    expect((await storedBlocks(chunks, registry)).size).toBe(1)
  })

  it('of a removed kind of block shows the placeholder to clients when it is undone', async () => {
    const fixture = createEditFixture()
    const { place, join, watch, tick, chunks, loaded, registry } = fixture
    loaded.setBlock(15, 64, 15, registry.intern('old_lamp'))
    const [ann, viewer] = [join('ann'), watch()]
    chunks.refuse(storageFull)
    place(ann, 1, [15, 64, 15, 'air'])
    tick()
    await settle(fixture)
    expect(viewer.blocks).toEqual(new Map([['15 64 15', 'unknown']]))
    expect(registry.idOf(loaded.blockAt(15, 64, 15) ?? 0)).toBe('old_lamp')
  })
})

describe('edits that cannot be stored', () => {
  const fail = async (fixture: EditFixture, actor: TestActor): Promise<void> => {
    fixture.chunks.refuse(storageFull)
    fixture.place(actor, 99, [12, 64, 12])
    fixture.tick()
    await settle(fixture)
  }

  it('are undone in reverse order with all later ones, and sent to every viewer', async () => {
    const fixture = createEditFixture()
    const { place, join, watch, tick, chunks, memory } = fixture
    const [ann, bob, viewer] = [join('ann'), join('bob'), watch()]
    place(ann, 1, [15, 64, 15, 'dirt'])
    tick()
    await settle(fixture)
    chunks.refuse(storageFull)
    const release = chunks.hold()
    place(ann, 2, [15, 64, 15, 'stone'], [16, 64, 15])
    tick()
    await attempted(fixture, 2)
    place(bob, 1, [15, 64, 15, 'water'], [18, 64, 18])
    tick()
    place(ann, 3, [16, 64, 15, 'dirt'])
    tick()
    expect(viewer.blocks.get('15 64 15')).toBe('water')
    release()
    await settle(fixture)
    expect(memory()).toEqual(new Map([['15 64 15', 'dirt']]))
    expect(viewer.blocks).toEqual(memory())
    expect(viewer.told.at(-1)?.by).toBe('')
    expect(ann.answers).toEqual([
      { seq: 1, ok: true, reason: '' },
      { seq: 3, ok: false, reason: 'storage-full' },
      { seq: 2, ok: false, reason: 'storage-full' },
    ])
    expect(bob.answers).toEqual([{ seq: 1, ok: false, reason: 'storage-full' }])
  })

  it('cause later edits to be refused with that reason, without a write for each', async () => {
    const fixture = createEditFixture()
    const { place, join, tick, chunks, memory } = fixture
    const ann = join('ann')
    await fail(fixture, ann)
    const attempts = chunks.attempts.length
    for (let seq = 1; seq <= 5; seq += 1) place(ann, seq, [15, 64, 15])
    tick(900)
    expect(ann.answers.slice(1)).toEqual([1, 2, 3, 4, 5].map((seq) => ({ seq, ok: false, reason: 'storage-full' })))
    expect(chunks.attempts).toHaveLength(attempts)
    expect(memory().size).toBe(0)
  })

  it('are possible again once there is room, after one attempt a second until then', async () => {
    const fixture = createEditFixture()
    const { place, join, tick, chunks, registry } = fixture
    const ann = join('ann')
    await fail(fixture, ann)
    const attempts = chunks.attempts.length
    for (let passed = 0; passed < 3200; passed += 50) await settle(fixture)
    expect(chunks.attempts.length - attempts).toBe(3)
    chunks.accept()
    for (let passed = 0; passed < 1200; passed += 50) await settle(fixture)
    place(ann, 1, [15, 64, 15])
    tick()
    await settle(fixture)
    expect(ann.answers.at(-1)).toEqual({ seq: 1, ok: true, reason: '' })
    expect(await storedBlocks(chunks, registry)).toEqual(new Map([['15 64 15', 'stone']]))
  })

  it('are undone in the store too when the failed write arrived after all', async () => {
    const fixture = createEditFixture()
    const { join, chunks, registry, loaded } = fixture
    chunks.failAfterwards = true
    await fail(fixture, join('ann'))
    expect((await storedBlocks(chunks, registry)).size).toBe(1)
    expect(loaded.find(0, 0)?.writesPending).toBe(1)
    chunks.accept()
    for (let passed = 0; passed < 1200; passed += 50) await settle(fixture)
    expect((await storedBlocks(chunks, registry)).size).toBe(0)
    expect(loaded.find(0, 0)?.writesPending).toBe(0)
  })

  it.each([
    ['unavailable', () => new AppError('unavailable', 'world-unusable', 'damaged')],
    ['unavailable', () => new Error('a fault of ours')],
    ['lease-lost', () => new AppError('conflict', 'lease-lost', 'taken over')],
  ] as const)('are answered %s', async (reason, error) => {
    const fixture = createEditFixture()
    const { place, join, tick, chunks } = fixture
    const ann = join('ann')
    chunks.refuse(error)
    place(ann, 1, [15, 64, 15])
    tick()
    await settle(fixture)
    place(ann, 2, [15, 64, 15])
    expect(ann.answers).toEqual([
      { seq: 1, ok: false, reason },
      { seq: 2, ok: false, reason },
    ])
  })

  it('are never retried after the lease was lost', async () => {
    const fixture = createEditFixture({ writer: { lease: { isHeld: () => false, isLost: () => true } } })
    const { place, join, tick, chunks } = fixture
    place(join('ann'), 1, [15, 64, 15])
    for (let passed = 0; passed < 3000; passed += 50) await settle(fixture)
    tick()
    expect(chunks.attempts).toEqual([])
  })

  it('are accepted again once a lease that was in doubt is held again', async () => {
    let isHeld = false
    const fixture = createEditFixture({ writer: { lease: { isHeld: () => isHeld, isLost: () => false } } })
    const { place, join, tick, chunks } = fixture
    const ann = join('ann')
    place(ann, 1, [15, 64, 15])
    await settle(fixture)
    expect(ann.answers).toEqual([{ seq: 1, ok: false, reason: 'unavailable' }])
    expect(chunks.attempts).toEqual([])
    isHeld = true
    for (let passed = 0; passed < 1500; passed += 50) await settle(fixture)
    place(ann, 2, [15, 64, 15])
    await settle(fixture)
    tick()
    expect(ann.answers).toContainEqual({ seq: 2, ok: true, reason: '' })
  })

  it('are undone before anything else in the tick builds on them', async () => {
    const fixture = createEditFixture()
    const { place, join, tick, chunks, writer, memory } = fixture
    const [ann, bob] = [join('ann'), join('bob')]
    chunks.refuse(storageFull)
    place(ann, 1, [15, 64, 15])
    tick()
    await writer.settle()
    place(bob, 1, [15, 64, 15, 'air'])
    expect(memory().size).toBe(0)
    expect(bob.answers).toEqual([{ seq: 1, ok: false, reason: 'storage-full' }])
  })
})

describe('edits that wait to be stored', () => {
  it('are refused as busy beyond the limits for one player and for all together', async () => {
    const fixture = createEditFixture({ limits: { total: 27, each: 18 } })
    const { place, join, tick, chunks } = fixture
    const [ann, bob] = [join('ann'), join('bob')]
    const release = chunks.hold()
    for (const seq of [1, 2, 3]) place(ann, seq, [15, 60 + seq, 15])
    for (const seq of [1, 2]) place(bob, seq, [18, 60 + seq, 18])
    tick()
    expect(ann.answers).toEqual([{ seq: 3, ok: false, reason: 'busy' }])
    expect(bob.answers).toEqual([{ seq: 2, ok: false, reason: 'busy' }])
    release()
    await settle(fixture)
    place(ann, 4, [15, 64, 15])
    await settle(fixture)
    expect(ann.answers.at(-1)).toEqual({ seq: 4, ok: true, reason: '' })
  })

  it('keep their columns in memory until they are stored', async () => {
    const fixture = createEditFixture()
    const { place, join, tick, loaded } = fixture
    place(join('ann'), 1, [15, 64, 15])
    expect(loaded.find(0, 0)?.writesPending).toBeGreaterThan(0)
    tick()
    await settle(fixture)
    expect(loaded.find(0, 0)?.writesPending).toBe(0)
  })
})
