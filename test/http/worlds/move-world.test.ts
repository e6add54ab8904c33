import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createApp } from '../../../functions/app.ts'
import { createDeps } from '../../../functions/deps.ts'
import { gzipPieces } from '../../../functions/http/answer/gzip-pieces.ts'
import { createHttpMetrics } from '../../../functions/http/metrics.ts'
import { worldRoutes } from '../../../functions/worlds/routes.ts'
import { createWorldStates } from '../../../shared/domain/modules/data/world-states.ts'
import { layOutWorld } from '../../../shared/domain/worlds/export/lay-out-world.ts'
import { openWorldExport } from '../../../shared/domain/worlds/export/open-world-export.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import type { WorldRecord } from '../../../shared/domain/worlds/world.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { holdFileLock } from '../../../shared/platform/storage/files/file-lock.ts'
import { createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { openServices } from '../../../shared/services/services.ts'
import type { Services } from '../../../shared/services/wire-services.ts'
import { quickConfig } from '../../e2e/support/stage.ts'
import type { DoorAnswer } from '../../support/http/door.ts'
import { openSocketDoor } from '../../support/http/socket-door.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { createSampleRegistry } from '../../support/worlds/chunk-samples.ts'
import { storeColumns } from '../../support/zones/listed-zone.ts'
import { zoneEditor } from '../../support/zones/zone-fixture.ts'
import { doors } from '../doors.ts'

const path = '/api/admin/worlds'
const registry = createSampleRegistry(['stone', 'soil'])
const columnAt = (cx: number, seed = 1) => {
  const column = createChunk(cx, 0)
  let noise = seed
  for (let at = 0; at < 4096; at += 1) {
    noise = (noise * 1_103_515_245 + 12_345) % 2_147_483_648
    setBlock(column, { x: at % 16, y: at >> 8, z: (at >> 4) % 16 }, (noise >> 16) % 3)
  }
  return column
}

describe.each(doors)('moving and exporting a world in DynamoDB, through %s', (_name, open) => {
  it.each([
    ['PUT', '', { name: 'south' }, 'npm run world -- export north FILE, then import FILE south'],
    ['DELETE', '', undefined, 'npm run world -- delete north --now'],
    ['GET', '/export', undefined, 'npm run world -- export north FILE'],
    ['POST', '/restore', { trash: 'trash/north-1' }, 'npm run world -- import FILE NAME'],
  ])('answers %s %s with 409 and the command, and changes nothing', async (method, rest, body, command) => {
    const { request, worlds } = await open({ as: 'admin', routes: worldRoutes })
    const north = await worlds.createWorld({ name: 'north', seed: 7 })
    const sent = body === undefined ? {} : { body }
    expect(await request(method, `${path}/north${rest}`, sent)).toMatchObject({
      status: 409,
      body: { type: '/problems/managed-elsewhere', detail: expect.stringContaining(command) },
    })
    expect(await worlds.getWorld('north')).toEqual(north)
    if (rest !== '/restore') expect((await request(method, `${path}/nowhere${rest}`, sent)).status).toBe(404)
  })
})

describe('moving and exporting a world of the data folder', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let deps: Services
  let door: Awaited<ReturnType<typeof openSocketDoor>>
  let north: WorldRecord
  let authorization: string
  beforeEach(async () => {
    dir = await createTempDir()
    await mkdir(join(dir.path, 'config'))
    await writeFile(join(dir.path, 'config', 'server.yaml'), quickConfig)
    const environment = parseEnvironment({ DATA_DIR: dir.path, LOG_LEVEL: 'silent' }, 'all')
    deps = await openServices(environment, silentLog)
    const boss = { email: 'boss@example.com', password: 'the password of the boss' }
    await deps.accounts.createAccount(zoneEditor, { ...boss, groups: ['admin'] })
    const { token } = await deps.signIn.login(boss.email, boss.password, { address: '127.0.0.1', requestId: 'test' })
    authorization = `Bearer ${token}`
    north = await deps.worlds.createWorld({ name: 'north', seed: 7, generator: 'flat-1' })
    await storeColumns(deps.chunks, [columnAt(0), columnAt(1)], registry, north)
    const zone = { name: 'Town', yMin: 1, yMax: 9, chunks: [{ cx: 0, cz: 0 }], world: 'north' }
    await deps.zones.createZone(zoneEditor, zone)
    door = await openSocketDoor(createApp(worldRoutes, createDeps(deps, environment.baseUrl, createHttpMetrics())))
  })
  afterEach(async () => {
    await door.close()
    await deps.close()
    await dir.remove()
  })

  const ask = (method: string, rest: string, body?: unknown): Promise<DoorAnswer> =>
    door.send(
      method,
      path + rest,
      { authorization, 'x-request-id': 'mine', 'content-type': 'application/json' },
      body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    )
  const zoneWorlds = async () => (await deps.zones.listZones()).map(({ zone }) => zone.world)
  const lastEntry = async (target: string) => (await deps.audit.listEntries({ limit: 1, target })).entries[0]

  it('renames it with its columns and zones, audited', async () => {
    const { status, body } = await ask('PUT', '/north', { name: 'south' })
    expect([status, body]).toEqual([200, expect.objectContaining({ name: 'south', seed: 7, chunkCount: 2 })])
    expect(await deps.worlds.getWorld('south')).toEqual({ ...north, name: 'south' })
    expect(await zoneWorlds()).toEqual(['south'])
    expect(await lastEntry('north')).toMatchObject({
      action: 'world.rename',
      actor: 'boss@example.com',
      via: 'http',
      requestId: 'mine',
    })
    expect((await ask('PUT', '/north', { name: 'east' })).status).toBe(404)
  })

  it('moves it into the trash with its zones, audited', async () => {
    const { status, body } = await ask('DELETE', '/north')
    expect([status, body]).toEqual([200, { trash: expect.stringMatching(/^trash\/north-/), zones: 1, accounts: 0 }])
    expect(await readdir(join(dir.path, body.trash, 'chunks'))).toContain('data.mdb')
    expect((await ask('GET', '')).body).toEqual([])
    expect(await zoneWorlds()).toEqual([])
    expect(await lastEntry('north')).toMatchObject({
      action: 'world.delete',
      actor: 'boss@example.com',
      via: 'http',
      requestId: 'mine',
    })
    expect((await ask('DELETE', '/north')).status).toBe(404)
    expect((await ask('POST', '', { name: 'north' })).status).toBe(201)
  })

  it('restores it from the trash under its name, audited, and once only', async () => {
    const { trash } = (await ask('DELETE', '/north')).body
    expect((await ask('POST', '/north/restore', { trash: 'trash/nothing' })).status).toBe(404)
    expect((await ask('POST', '/north/restore', { trash: 'trash/..' })).status).toBe(400)
    const { status, body } = await ask('POST', '/north/restore', { trash })
    expect([status, body]).toEqual([200, expect.objectContaining({ name: 'north', seed: 7, chunkCount: 2 })])
    expect(await deps.worlds.getWorld('north')).toEqual({ ...north, createdAt: expect.any(String) })
    expect(await lastEntry('north')).toMatchObject({ action: 'world.create', actor: 'boss@example.com', via: 'http' })
    expect((await ask('POST', '/north/restore', { trash })).status).toBe(404)
  })

  it('answers 409 while a process has the world, and changes nothing', async () => {
    const lock = holdFileLock(join(dir.path, 'worlds', 'north.lease'))
    for (const answer of [await ask('PUT', '/north', { name: 'south' }), await ask('DELETE', '/north')])
      expect(answer).toMatchObject({ status: 409, body: { type: '/problems/world-held' } })
    lock?.release()
    expect(await deps.worlds.getWorld('north')).toEqual(north)
    expect([await zoneWorlds(), await deps.chunks.stats(north)]).toMatchObject([['north'], { chunkCount: 2 }])
  })

  it('answers 409 for the world of GAME_WORLD_NAME, also while no node runs it', async () => {
    await deps.worlds.ensureActive()
    for (const answer of [await ask('PUT', '/default', { name: 'south' }), await ask('DELETE', '/default')])
      expect(answer).toMatchObject({
        status: 409,
        body: { type: '/problems/world-held', detail: expect.stringContaining('GAME_WORLD_NAME selects the world "default"') },
      })
    expect(await deps.worlds.findWorld('default')).toBeDefined()
  })

  it.each([
    ['NORTH', 400, 'bad-request'],
    ['taken', 409, 'already-exists'],
    ['no way', 400, 'bad-request'],
  ])('refuses to rename it to %s with %i', async (name, status, slug) => {
    await deps.worlds.createWorld({ name: 'taken' })
    const lock = holdFileLock(join(dir.path, 'worlds', 'taken.lease'))
    expect(await ask('PUT', '/north', { name })).toMatchObject({ status, body: { type: `/problems/${slug}` } })
    lock?.release()
    expect(await deps.worlds.getWorld('north')).toEqual(north)
  })

  it('succeeds for one of two concurrent deletions', async () => {
    const statuses = (await Promise.all([ask('DELETE', '/north'), ask('DELETE', '/north')])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    // The world is being deleted, or was deleted before the other request arrived.
    expect([409, 404]).toContain(statuses.find((status) => status !== 200))
  })

  it('streams the same file as the command line, and does not change the world', async () => {
    await createWorldStates(deps.store).put(north.id, { hello: { version: 2, value: { round: 3 } } })
    const answer = await ask('GET', '/north/export')
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/gzip', 'content-disposition': 'attachment; filename="north.world"' },
    })
    const { contents } = await openWorldExport(
      {
        chunks: deps.chunks,
        createRegistry: () => createSampleRegistry([]),
        listStates: async () => ({ hello: { version: 2, value: { round: 3 } } }),
        signal: AbortSignal.timeout(60_000),
      },
      north,
    )
    const pieces: Buffer[] = []
    for await (const piece of layOutWorld(contents)) pieces.push(piece)
    expect(gunzipSync(answer.bytes).equals(Buffer.concat(pieces))).toBe(true)
    await expect(stat(join(dir.path, 'worlds', 'north'))).resolves.toBeDefined()
  })

  it('refuses or cuts off an export at a damaged column', async () => {
    await deps.chunks.putMany(north, [{ cx: 2, cz: 0, bytes: Uint8Array.of(7) }], 9)
    // The answer is cut off if it begins before the column is read.
    const exported = () =>
      ask('GET', '/north/export').then(
        ({ status }) => status,
        () => 'cut off',
      )
    expect(['cut off', 503]).toContain(await exported())
    expect(['cut off', 503]).toContain(await exported())
  })
})

it('reads a world no faster than the client reads its export', async () => {
  const chunks = createMemoryChunkStore()
  const world = { id: '3f8f6a52-7c1d-4a57-9a0e-5d6f0c1b2a39', name: 'north', seed: 1, generator: 'flat-1', settings: {} }
  const columns = Array.from({ length: 640 }, (_, cx) => columnAt(cx, cx * 31 + 1))
  await storeColumns(chunks, columns, registry, world)
  let read = 0
  const { contents } = await openWorldExport(
    {
      chunks,
      createRegistry: () => createSampleRegistry([]),
      listStates: async () => ({}),
      signal: AbortSignal.timeout(60_000),
      onRead: (more) => {
        read += more
      },
    },
    { ...world, createdAt: '2026-01-01T00:00:00.000Z' },
  )
  const pieces = gzipPieces(layOutWorld(contents))
  await pieces.next()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(read).toBeLessThan(640)
  let bytes = 0
  for await (const piece of pieces) bytes += piece.length
  expect([read, bytes > 64 * 1024]).toEqual([640, true])
})
