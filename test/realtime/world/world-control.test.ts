import { describe, expect, it } from '@jest/globals'
import { readSavedPosition } from '../../../shared/domain/players/player-state.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { createWorldFixture } from '../../support/worlds/world-fixture.ts'

const createScene = (store: Store = createMemoryStore()) =>
  createWorldFixture({ store, clock: createFixedClock(), log: silentLog })
const holder = { distanceTo: () => 0 }

describe('a description of the world', () => {
  it('contains its name, its size, the columns in memory, and tick times', async () => {
    const { control, loaded, writer, tickTimes } = createScene()
    for (const pos of [
      { cx: 0, cz: 0 },
      { cx: 5, cz: -5 },
    ])
      await loaded.load(pos, holder)
    await writer.settle()
    for (const milliseconds of [1, 2, 3]) tickTimes.add(milliseconds)
    expect(await control.describe()).toEqual({
      name: 'default',
      seed: 7,
      generator: 'flat-1',
      createdAt: '2026-11-20T00:00:00.000Z',
      chunkCount: 2,
      sizeBytes: expect.any(Number),
      loadedColumns: 2,
      loadingColumns: 0,
      tickTimes: { ticks: 3, p50Ms: 2, p99Ms: 3, maxMs: 3 },
    })
  })
})

describe('saving the world', () => {
  it('resolves when blocks and places are in the stores', async () => {
    const store = createMemoryStore()
    const { control, loaded, places, chunks, record } = createScene(store)
    await loaded.load({ cx: 0, cz: 0 }, holder)
    places.follow({ playerId: 'ann', x: 1, y: 64, z: 2, yaw: 0, pitch: 0 })
    expect(await control.save()).toEqual({ chunkCount: 1, places: 1, milliseconds: 0 })
    expect(await chunks.has(record, { cx: 0, cz: 0 })).toBe(true)
    expect(await readSavedPosition(store, record.id, 'ann')).toMatchObject({ x: 1, z: 2 })
  })

  it('rejects with the fault of the store', async () => {
    const failing = {
      ...createMemoryStore(),
      commit: async () => {
        throw new AppError('unavailable', 'storage-full', 'There is no room.')
      },
    }
    const { control, places } = createScene(failing)
    places.follow({ playerId: 'ann', x: 1, y: 64, z: 2, yaw: 0, pitch: 0 })
    await expect(control.save()).rejects.toMatchObject({ slug: 'storage-full' })
  })
})

describe('looking for the ground', () => {
  it('loads a missing column, and releases it', async () => {
    const { control, loaded } = createScene()
    expect(await control.findGround({ x: 1000.5, y: 200, z: -1000.5 })).toEqual({ x: 1000.5, y: 64, z: -1000.5 })
    expect(loaded.stats()).toMatchObject({ loading: 0 })
  })

  it('loads all columns that the body touches', async () => {
    const { control, loaded } = createScene()
    const corners = [
      [0, -3],
      [0, -2],
      [1, -3],
      [1, -2],
    ] as const
    expect(await control.findGround({ x: 16, y: 0, z: -32 })).toEqual({ x: 16, y: 64, z: -32 })
    for (const [cx, cz] of corners) expect(loaded.find(cx, cz)).toBeDefined()
  })

  it('ends on top of what players built', async () => {
    const { control, loaded, registry } = createScene()
    await loaded.load({ cx: 0, cz: 0 }, holder)
    loaded.setBlock(3, 64, 3, registry.intern('stone'))
    expect(await control.findGround({ x: 3.5, y: 100, z: 3.5 })).toMatchObject({ y: 65 })
  })

  it('fails when the column does not load in time, and releases it', async () => {
    const { control, loaded, state } = createScene()
    state.isStuck = true
    await expect(control.findGround({ x: -100.5, y: 64, z: 120.5 })).rejects.toMatchObject({
      kind: 'unavailable',
      publicDetail: expect.stringContaining('in time'),
    })
    state.isStuck = false
    await loaded.load({ cx: 9, cz: 9 }, holder)
    expect(loaded.find(-7, 7)).toBeUndefined()
  })

  it('fails outside the columns of the world', async () => {
    const { control } = createScene()
    await expect(control.findGround({ x: 30_000_000, y: 64, z: 0.5 })).rejects.toMatchObject({ kind: 'invalid' })
  })
})
