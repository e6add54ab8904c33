import { beforeEach, describe, expect, it } from '@jest/globals'
import { createStoreAuditLog } from '../../../../shared/domain/audit/store-audit-log.ts'
import { createWorldService } from '../../../../shared/domain/worlds/create-world-service.ts'
import type { ChunkStore } from '../../../../shared/domain/worlds/store/chunk-store.ts'
import { createMemoryChunkStore } from '../../../../shared/domain/worlds/store/chunk-store-memory.ts'
import type { WorldService } from '../../../../shared/domain/worlds/world-service.ts'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../shared/platform/storage/store.ts'
import { createFixedConfigs } from '../../../support/configs/fixed-configs.ts'
import { createFixedClock, type FixedClock } from '../../../support/time/fixed-clock.ts'

const actor = { email: 'admin@example.com', via: 'http', requestId: 'request-1' } as const
const clash = { kind: 'conflict', slug: 'already-exists' }

describe('the worlds', () => {
  let store: Store
  let clock: FixedClock
  let chunks: ChunkStore
  let configs: ReturnType<typeof createFixedConfigs>
  let worlds: WorldService
  const open = (overrides: { chunks?: Pick<ChunkStore, 'stats'>; activeName?: string } = {}) =>
    createWorldService({ store, chunks, configs, clock, ids: systemIds, activeName: 'default', ...overrides })

  beforeEach(() => {
    store = createMemoryStore()
    clock = createFixedClock()
    chunks = createMemoryChunkStore()
    configs = createFixedConfigs()
    worlds = open()
  })

  it('stores the settings of a new world', async () => {
    const world = await worlds.createWorld({ name: 'north', seed: 7 }, actor)
    expect(world).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'north',
      seed: 7,
      createdAt: '2026-01-01T00:00:00.000Z',
      generator: 'terrain-1',
      settings: configs.get('worldgen.yaml'),
    })
    expect(await worlds.getWorld('north')).toEqual(world)
  })

  it('keeps the settings of a world when worldgen.yaml changes', async () => {
    await worlds.createWorld({ name: 'north' })
    configs.set({ worldgen: { seaLevel: 80, generator: 'flat-1' } })
    expect(await worlds.getWorld('north')).toMatchObject({ generator: 'terrain-1', settings: { seaLevel: 62 } })
    expect(await worlds.createWorld({ name: 'south' })).toMatchObject({ generator: 'flat-1', settings: { seaLevel: 80 } })
  })

  it('keeps the id, the generator and the settings of an imported world', async () => {
    const facts = { id: systemIds.uuid(), seed: 3, generator: 'flat-1', settings: { seaLevel: 40 } }
    await worlds.createWorld({ name: 'copy', ...facts })
    expect(await worlds.getWorld('copy')).toMatchObject(facts)
  })

  it('derives a seed from a text, and generates one without a text', async () => {
    expect((await worlds.createWorld({ name: 'a', seed: '-42' })).seed).toBe(-42)
    expect((await worlds.createWorld({ name: 'b', seed: 'glacier' })).seed).toBe(
      (await worlds.createWorld({ name: 'c', seed: 'glacier' })).seed,
    )
    const seeds = [await worlds.createWorld({ name: 'd' }), await worlds.createWorld({ name: 'e' })].map(({ seed }) => seed)
    expect(seeds[0]).not.toBe(seeds[1])
    expect(seeds.every(Number.isSafeInteger)).toBe(true)
  })

  it.each([
    [{ name: '' }, '/name'],
    [{ name: 'a'.repeat(65) }, '/name'],
    [{ name: '../north' }, '/name'],
    [{ name: 'nörd' }, '/name'],
    [{ name: 'CON' }, '/name'],
    [{ name: 'lpt1' }, '/name'],
    [{ name: 'north', seed: 2 ** 53 }, '/seed'],
    [{ name: 'north', seed: 1.5 }, '/seed'],
    [{ name: 'north', generator: 'terrain-99' }, '/generator'],
    [{ name: 'north', id: 'mine' }, '/id'],
    [{ name: 'north', settings: { seaLevel: 'high' } }, '/settings/seaLevel'],
  ])('refuses %j and reports the place', async (input, pointer) => {
    await expect(worlds.createWorld(input)).rejects.toMatchObject({ kind: 'invalid', errors: [{ pointer }] })
    expect(await worlds.listWorlds()).toEqual([])
  })

  it('refuses a taken name, and changes nothing', async () => {
    const first = await worlds.createWorld({ name: 'north', seed: 1 })
    await expect(worlds.createWorld({ name: 'north', seed: 2 })).rejects.toMatchObject(clash)
    expect(await worlds.getWorld('north')).toEqual(first)
  })

  it('refuses a name that differs from another only in letter case, and names the other', async () => {
    await worlds.createWorld({ name: 'North' })
    await expect(worlds.createWorld({ name: 'nORTH' })).rejects.toMatchObject({
      ...clash,
      publicDetail: expect.stringContaining('"North"'),
    })
    expect(await worlds.findWorld('nORTH')).toBeUndefined()
  })

  it('succeeds for one of many concurrent creations of a world', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, seed) => open().createWorld({ name: 'north', seed })),
    )
    const made = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    expect(made).toHaveLength(1)
    expect(await worlds.getWorld('north')).toEqual(made[0]?.value)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(clash)
  })

  it('audits the author of a world, and no refused creation', async () => {
    const { id: _id, settings: _settings, ...after } = await worlds.createWorld({ name: 'north' }, actor)
    await worlds.createWorld({ name: 'north' }, actor).catch(() => undefined)
    clock.advance(1)
    await worlds.createWorld({ name: 'south' })
    expect(await createStoreAuditLog(store).listEntries({ limit: 10 })).toMatchObject({
      entries: [
        { actor: 'operator', action: 'world.create', target: 'south', via: 'cli' },
        {
          actor: 'admin@example.com',
          via: 'http',
          requestId: 'request-1',
          action: 'world.create',
          target: 'north',
          before: null,
          after,
        },
      ],
    })
    expect(await createStoreAuditLog(store).listEntries({ limit: 10, requestId: 'request-1' })).toMatchObject({
      entries: [{ target: 'north' }],
    })
  })

  it('lists the active one first, then by name, each with the figures of its chunks', async () => {
    for (const name of ['south', 'default', 'east']) await worlds.createWorld({ name, seed: 1 })
    const east = await worlds.getWorld('east')
    await chunks.putMany(east, [{ cx: 0, cz: -1, bytes: new Uint8Array(9) }], 1)
    const facts = { seed: 1, createdAt: '2026-01-01T00:00:00.000Z', generator: 'terrain-1' }
    expect(await worlds.listWorlds()).toEqual([
      { ...facts, name: 'default', active: true, chunkCount: 0, sizeBytes: 0 },
      { ...facts, name: 'east', active: false, chunkCount: 1, sizeBytes: 9 },
      { ...facts, name: 'south', active: false, chunkCount: 0, sizeBytes: 0 },
    ])
  })

  it('lists more than a page of the store', async () => {
    for (let index = 0; index < 1001; index += 1) await worlds.createWorld({ name: `w${index}`, seed: index })
    expect(await worlds.listWorlds()).toHaveLength(1001)
  })

  it('reads the chunks of one world per turn of the event loop, so that a game continues', async () => {
    for (let i = 0; i < 20; i += 1) await worlds.createWorld({ name: `world-${i}` })
    let looks = 0
    let looksMax = 0
    const countTurn = (): void => {
      looksMax = Math.max(looksMax, looks)
      looks = 0
      turn = setImmediate(countTurn)
    }
    let turn = setImmediate(countTurn)
    const stats = async () => {
      looks += 1
      return { chunkCount: 1, sizeBytes: 2 }
    }
    expect(await open({ chunks: { stats } }).listWorlds()).toHaveLength(20)
    clearImmediate(turn)
    expect(looksMax).toBe(1)
  })

  it('lists a world with unusable chunks and the reason, and fails when the store fails', async () => {
    await worlds.createWorld({ name: 'default' })
    const broken = (slug: 'world-unusable' | 'service-unavailable') => ({
      stats: () => Promise.reject(new AppError('unavailable', slug, 'Its folder is locked.')),
    })
    expect(await open({ chunks: broken('world-unusable') }).listWorlds()).toMatchObject([
      { name: 'default', chunkCount: 0, sizeBytes: 0, warning: 'Its folder is locked.' },
    ])
    await expect(open({ chunks: broken('service-unavailable') }).listWorlds()).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('finds nothing under an invalid name', async () => {
    for (const name of ['', '../..', 'a/b', '\ud800', 'x'.repeat(1000)]) {
      expect(await worlds.findWorld(name)).toBeUndefined()
      await expect(worlds.getWorld(name)).rejects.toMatchObject({ kind: 'not-found' })
    }
  })

  it('creates the active world once, however many processes start', async () => {
    await expect(worlds.getWorld()).rejects.toMatchObject({ kind: 'not-found' })
    const made = await Promise.all(Array.from({ length: 5 }, () => open().ensureActive()))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(await worlds.ensureActive()).toEqual(made[0])
    expect(await worlds.getWorld()).toEqual(made[0])
  })

  it('does not run a world whose name differs from another only in letter case', async () => {
    await worlds.createWorld({ name: 'Default' })
    await expect(worlds.ensureActive()).rejects.toMatchObject(clash)
  })
})
