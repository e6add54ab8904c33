import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { openTakenWorld } from '../../../realtime/world/open-world.ts'
import { takeWorld, type WorldTenure } from '../../../realtime/world/take-world.ts'
import { worldUnusable } from '../../../shared/domain/worlds/store/chunk-store-rules.ts'
import { worldRecords } from '../../../shared/domain/worlds/world.ts'
import { worldNames } from '../../../shared/domain/worlds/world-names.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { readTenure } from '../../../shared/platform/process/lease-holder.ts'
import { putWrite } from '../../../shared/platform/storage/store.ts'
import { openServices } from '../../../shared/services/services.ts'
import type { Services } from '../../../shared/services/wire-services.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'
import { createFaultyChunkStore, type FaultyChunkStore, storageFull } from '../../support/worlds/faulty-chunk-store.ts'

describe('a world that is opened by a node', () => {
  let folder: Awaited<ReturnType<typeof createTempDir>>
  let services: Services
  let chunks: FaultyChunkStore
  let tenure: WorldTenure
  let lines: Record<string, unknown>[]
  beforeEach(async () => {
    folder = await createTempDir()
    const environment = parseEnvironment({ DATA_DIR: folder.path }, 'all')
    const captured = createCapturedLog()
    lines = captured.lines
    const opened = await openServices(environment, captured.log)
    chunks = createFaultyChunkStore(opened.chunks)
    services = { ...opened, chunks }
    tenure = await readTenure(environment)
  })
  afterEach(async () => {
    await services.close()
    await folder.remove()
  })

  const open = async () => openTakenWorld(services, await takeWorld(services, tenure))
  const pos = { cx: 3, cz: -4 }
  const record = { ...pos, bytes: Uint8Array.of(1, 2, 3) }

  it('refuses writes of an earlier holder, even before the new one has written', async () => {
    await (await open()).close()
    const world = await open()
    await expect(chunks.putMany(world.record, [record], 1)).rejects.toMatchObject({ slug: 'lease-lost' })
    expect(await chunks.has(world.record, pos)).toBe(false)
    await world.close()
  })

  it('fails to open when no one can write to it, and is free again at once', async () => {
    const { name, id } = await services.worlds.ensureActive()
    chunks.refuse(() => worldUnusable({ name, id }, 'their folder is read-only', 'Let the server write in it.'))
    await expect(open()).rejects.toMatchObject({ slug: 'world-unusable', publicDetail: expect.stringContaining('read-only') })
    chunks.accept()
    await (await open()).close()
  })

  it('opens on a full disk for walking only, and logs it', async () => {
    chunks.refuse(storageFull)
    const world = await open()
    expect(JSON.stringify(lines)).toContain('there is no space for chunks')
    await world.close()
  })

  it('from before spawns were stored has the same spawn as then', async () => {
    const { settings } = await services.worlds.createWorld({ name: 'other' })
    const old = {
      id: randomUUID(),
      name: 'default',
      seed: 12,
      createdAt: '2026-01-01T00:00:00.000Z',
      generator: 'terrain-1',
      settings,
    }
    await services.store.commit([putWrite(worldRecords, old.name, old), putWrite(worldNames, old.name, { name: old.name })])
    await chunks.putMany(old, [{ cx: 90, cz: 90, bytes: Uint8Array.of(1, 2, 3) }], 1)
    const world = await open()
    expect(world.spawn.find()).toMatchObject({ x: 0.5, z: 0.5 })
    expect(await services.worlds.getWorld('default')).toEqual(old)
    await world.close()
  })

  it('gets a spawn at its first opening, which stays', async () => {
    const first = await open()
    const { spawn } = first.record
    expect(spawn).toBeDefined()
    expect(await services.worlds.getWorld()).toMatchObject({ spawn })
    expect(first.spawn.find()).toMatchObject({ x: spawn?.x, z: spawn?.z })
    await first.close()
    const second = await open()
    expect(second.record.spawn).toEqual(spawn)
    await second.close()
  })

  it('is refused to a second node with the name of the holder', async () => {
    const world = await open()
    await expect(open()).rejects.toMatchObject({ slug: 'world-held', publicDetail: expect.stringContaining(tenure.holder.name) })
    await world.close()
  })
})
