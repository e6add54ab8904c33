import { describe, expect, it } from '@jest/globals'
import { AppError } from '../../../shared/kernel/errors.ts'
import { readPlace } from '../../../shared/players/player-place.ts'
import { createMemoryStore } from '../../../shared/storage/memory.ts'
import type { Store } from '../../../shared/storage/store.ts'
import { createFixedClock } from '../../support/fixed-clock.ts'
import { silentLog } from '../../support/silent-log.ts'
import { createWorldFixture } from '../../support/world-fixture.ts'

const createScene = (store: Store = createMemoryStore()) =>
  createWorldFixture({ store, clock: createFixedClock(), log: silentLog })
const holder = { distanceTo: () => 0 }

describe('a description of the world', () => {
  it('tells what it is, how large, how much of it is in memory, and how ticks go', async () => {
    const { control, loaded, writer, tickTimes } = createScene()
    await loaded.load({ cx: 0, cz: 0 }, holder)
    await loaded.load({ cx: 5, cz: -5 }, holder)
    await writer.settle()
    for (const milliseconds of [1, 2, 3]) tickTimes.add(milliseconds)
    expect(await control.describe()).toEqual({
      name: 'default',
      seed: 42,
      generator: 'flat-1',
      createdAt: '2026-01-01T00:00:00.000Z',
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
    await loaded.load({ cx: 1, cz: 2 }, holder)
    places.follow({ playerId: 'ann', x: 1, y: 64, z: 2, yaw: 0, pitch: 0 })
    expect(await control.save()).toEqual({ chunkCount: 1, places: 1, milliseconds: 0 })
    expect(await chunks.has(record, { cx: 1, cz: 2 })).toBe(true)
    expect(await readPlace(store, record.id, 'ann')).toMatchObject({ x: 1, z: 2 })
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
  it('loads what is not in memory, and lets it go', async () => {
    const { control, loaded } = createScene()
    expect(await control.findGround({ x: 1000.5, y: 200, z: -1000.5 })).toEqual({ x: 1000.5, y: 64, z: -1000.5 })
    expect(loaded.stats()).toMatchObject({ loading: 0 })
  })

  it('loads all columns that the body touches', async () => {
    const { control, loaded } = createScene()
    expect(await control.findGround({ x: 16, y: 0, z: -32 })).toEqual({ x: 16, y: 64, z: -32 })
    expect(loaded.stats()).toMatchObject({ loaded: 4 })
  })

  it('stands on what players built', async () => {
    const { control, loaded, registry } = createScene()
    await loaded.load({ cx: 0, cz: 0 }, holder)
    loaded.setBlock(3, 64, 3, registry.intern('stone'))
    expect(await control.findGround({ x: 3.5, y: 100, z: 3.5 })).toMatchObject({ y: 65 })
  })

  it('says so when the column does not come in time, and asks for it no longer', async () => {
    const { control, loaded, state } = createScene()
    state.isGenerationStuck = true
    await expect(control.findGround({ x: 0.5, y: 64, z: 0.5 })).rejects.toMatchObject({
      kind: 'unavailable',
      publicDetail: expect.stringContaining('in time'),
    })
    expect(loaded.stats()).toMatchObject({ loaded: 0, loading: 0 })
  })

  it('says so where there is no column of the world', async () => {
    const { control } = createScene()
    await expect(control.findGround({ x: 30_000_000, y: 64, z: 0.5 })).rejects.toMatchObject({ kind: 'invalid' })
  })
})
