import { once } from 'node:events'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createApp } from '../../../functions/app.ts'
import { createDeps } from '../../../functions/deps.ts'
import { createHttpMetrics } from '../../../functions/http/metrics.ts'
import { jobRoutes } from '../../../functions/jobs/routes.ts'
import { worldRoutes } from '../../../functions/worlds/routes.ts'
import { runDataJobs } from '../../../shared/domain/backups/files/run-data-jobs.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { openServices } from '../../../shared/services/services.ts'
import type { Services } from '../../../shared/services/wire-services.ts'
import { quickConfig } from '../../e2e/support/stage.ts'
import { openSocketDoor } from '../../support/http/socket-door.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createSampleRegistry } from '../../support/worlds/chunk-samples.ts'
import { storeColumns } from '../../support/zones/listed-zone.ts'
import { zoneEditor } from '../../support/zones/zone-fixture.ts'
import { bothDoors } from '../doors.ts'

const path = '/api/admin/worlds'
const gzip = { 'content-type': 'application/gzip' }

describe.each(bothDoors)('importing a world in DynamoDB, through %s', (_name, open) => {
  it('answers 409 with the command, and 415 for another media type', async () => {
    const { request } = await open({ as: 'admin', routes: worldRoutes })
    const send = (headers: Record<string, string>) => request('POST', `${path}/copy/import`, { rawBody: 'x', headers })
    expect(await send(gzip)).toMatchObject({
      status: 409,
      body: { type: '/problems/managed-elsewhere', detail: expect.stringContaining('npm run world -- import FILE copy') },
    })
    expect((await send({ 'content-type': 'text/plain' })).status).toBe(415)
  })

  it('answers 403 without the permission', async () => {
    const { request } = await open({ as: 'player', routes: worldRoutes })
    expect((await request('POST', `${path}/copy/import`, { rawBody: 'x', headers: gzip })).status).toBe(403)
  })
})

describe('importing a world into the data folder', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let deps: Services
  let door: Awaited<ReturnType<typeof openSocketDoor>>
  let jobs: ReturnType<typeof runDataJobs>
  let authorization: string
  let file: Uint8Array
  const uploads = () => readdir(join(dir.path, 'worlds', '.uploads')).catch(() => [])

  beforeAll(async () => {
    dir = await createTempDir()
    await mkdir(join(dir.path, 'config'))
    await writeFile(join(dir.path, 'config', 'server.yaml'), quickConfig)
    const environment = parseEnvironment({ DATA_DIR: dir.path, LOG_LEVEL: 'silent' }, 'all')
    deps = await openServices(environment, silentLog)
    const boss = { email: 'boss@example.com', password: 'the password of the boss' }
    await deps.accounts.createAccount(zoneEditor, { ...boss, groups: ['admin'] })
    const { token } = await deps.signIn.login(boss.email, boss.password, { address: '127.0.0.1', requestId: 'test' })
    authorization = `Bearer ${token}`
    const north = await deps.worlds.createWorld({ name: 'north', seed: 7, generator: 'flat-1' })
    const column = createChunk(0, 0)
    setBlock(column, { x: 1, y: 9, z: 2 }, 1)
    await storeColumns(deps.chunks, [column], createSampleRegistry(['stone']), north)
    door = await openSocketDoor(
      createApp([...worldRoutes, ...jobRoutes], createDeps(deps, environment.baseUrl, createHttpMetrics())),
    )
    if (deps.backups === undefined) throw new Error('the data folder has backups')
    const { backups } = deps
    jobs = runDataJobs({ ...deps, backups, dataDir: dir.path })
    file = (await send('GET', '/north/export')).bytes
  })
  afterAll(async () => {
    await jobs.close()
    await door.close()
    await deps.close()
    await dir.remove()
  })

  const send = (method: string, rest: string, body?: Uint8Array, headers: Record<string, string> = gzip) =>
    door.send(method, path + rest, { authorization, 'x-request-id': 'mine', ...headers }, body)
  const jobOf = async (id: string) => deps.jobs.getJob(id)
  const names = async () => (await deps.worlds.listWorlds()).map(({ name }) => name)

  it('makes the world by a job that its caller can follow, audited', async () => {
    const { status, body, headers } = await send('POST', '/copy/import', file)
    expect([status, body.kind, headers.location]).toEqual([202, 'import-world', `/api/admin/jobs/${body.id}`])
    expect(body.world).toBe('copy')
    await waitFor(async () => (await jobOf(body.id)).state === 'done')
    expect(await jobOf(body.id)).toMatchObject({ progress: 1, result: { world: 'copy', columns: 1 } })
    expect(await deps.worlds.describeWorld(await deps.worlds.getWorld('copy'))).toMatchObject({ seed: 7, chunkCount: 1 })
    const { entries } = await deps.audit.listEntries({ limit: 5, target: 'copy' })
    expect(entries.map(({ action, actor, via, requestId }) => [action, actor, via, requestId])).toEqual([
      ['world.create', 'boss@example.com', 'http', 'mine'],
      ['world.import', 'boss@example.com', 'http', 'mine'],
    ])
    expect(await uploads()).toEqual([])
  })

  it.each([
    ['a zip file', Buffer.from('PK\u0003\u0004 a Minecraft world'), 'it is a zip file. A Minecraft world is a folder'],
    ['another file', Buffer.from('hello'), 'it is not a world that Gatehouse exported'],
    ['another gzip file', gzipSync('hello'), 'it is not a world that Gatehouse exported'],
  ])('answers 400 for %s, and leaves nothing', async (_what, bytes, detail) => {
    expect(await send('POST', '/other/import', bytes)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(detail) },
    })
    expect([await uploads(), await deps.worlds.findWorld('other')]).toEqual([[], undefined])
  })

  it('fails the job for a file that is cut off, and leaves nothing', async () => {
    const { body } = await send('POST', '/cut/import', file.subarray(0, file.length - 20))
    await waitFor(async () => (await jobOf(body.id)).state === 'failed')
    expect((await jobOf(body.id)).detail).toContain('it is cut off')
    await waitFor(async () => (await uploads()).length === 0)
    expect(await names()).not.toContain('cut')
  })

  it('answers 409 for a name in use without reading the file', async () => {
    expect(await send('POST', '/NORTH/import', file)).toMatchObject({ status: 409, body: { type: '/problems/already-exists' } })
    expect((await send('POST', '/north/import', Buffer.from('hello'))).status).toBe(409)
  })

  it('answers 400 without a file, 413 for one that is too large, and 415 for a content encoding', async () => {
    const statusOf = async (headers: Record<string, string>, body?: Uint8Array) =>
      (await send('POST', '/other/import', body, { ...gzip, ...headers })).status
    expect(await statusOf({})).toBe(400)
    expect(await statusOf({ 'content-encoding': 'gzip' }, file)).toBe(415)
    const socket = connect(door.port, '127.0.0.1').setEncoding('utf8')
    const head = `Authorization: ${authorization}\r\nContent-Type: application/gzip\r\nContent-Length: ${5 * 1024 ** 3}`
    socket.write(`POST ${path}/other/import HTTP/1.1\r\nHost: localhost:${door.port}\r\n${head}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    socket.destroy()
    expect(answer).toContain('HTTP/1.1 413')
  })

  it('leaves nothing of an upload that breaks off', async () => {
    const socket = connect(door.port, '127.0.0.1')
    const head = `Authorization: ${authorization}\r\nContent-Type: application/gzip\r\nContent-Length: ${file.length}`
    socket.write(`POST ${path}/broken/import HTTP/1.1\r\nHost: localhost:${door.port}\r\n${head}\r\n\r\n`)
    socket.write(file.subarray(0, 30))
    await waitFor(async () => (await uploads()).length === 1)
    socket.destroy()
    await waitFor(async () => (await uploads()).length === 0)
    expect((await deps.jobs.listJobs({ limit: 20 })).jobs.some(({ detail }) => detail.includes('broken'))).toBe(false)
  })

  it('deletes old uploads of a killed server, and keeps new ones', async () => {
    const folder = join(dir.path, 'worlds', '.uploads')
    await mkdir(folder, { recursive: true })
    for (const name of ['old.part', 'old', 'new.part']) await writeFile(join(folder, name), 'x')
    const longAgo = new Date(deps.clock.now() - 600_000)
    for (const name of ['old.part', 'old']) await utimes(join(folder, name), longAgo, longAgo)
    await deps.worldImports?.sweep()
    expect(await uploads()).toEqual(['new.part'])
  })
})
