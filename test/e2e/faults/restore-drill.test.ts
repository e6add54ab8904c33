import { mkdir, readdir, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { anyDynamo, type DynamoServer, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { describeWhere, type Need } from '../../support/needs/guard.ts'
import { readCommands, readPage } from '../../support/pages/markdown.ts'
import { ask } from '../support/api.ts'
import { type Builder, createBuilder } from '../support/builder.ts'
import { startChild, type Variables } from '../support/child.ts'
import { createDynamoPlace } from '../support/dynamo-place.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()
const page = readPage('operations/backup.md')
/** Finds a faster `npm` first. */
const PATH = [join(import.meta.dirname, '../../support/processes/fast-npm'), process.env.PATH].join(delimiter)

/** Runs the commands of docs/operations/backup.md as if copied into a shell that stops at the first fault. */
const runBlock = async (name: string, variables: Variables): Promise<string> => {
  const shell = stage.adopt(startChild('bash', ['-euo', 'pipefail', '-c', readCommands(page, name)], { ...variables, PATH }))
  shell.endInput()
  const code = await shell.ended
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${shell.stdout()}\n${shell.stderr()}`)
  return shell.stdout()
}

const builderEmail = 'builder@example.com'
const savedLine = '# saved by the boss\n'

/** The position of a player after joining. */
const placeOf = ({ session }: Builder) => {
  const { x, y, z } = session.position()
  return { x, y, z }
}

/** Confirmed changes of users on a server. */
const liveOn = async (server: Server) => {
  const token = await stage.claim(server)
  const friend = { email: 'friend@example.com', password: 'the password of a friend', displayName: 'Friend', groups: ['builder'] }
  expect((await ask(server.url, 'POST /api/admin/users', { token, body: friend })).status).toBe(201)
  const { text } = await ask(server.url, 'GET /api/admin/configs/groups.yaml', { token })
  expect((await ask(server.url, 'PUT /api/admin/configs/groups.yaml', { token, yaml: text + savedLine })).status).toBe(200)
  const builder = createBuilder(await stage.enter(server.url, await stage.signIn(server.url, builderEmail)))
  const places = builder.places.slice(0, 30)
  await builder.look(places)
  expect(await builder.edit(places.map((place) => ({ ...place, type: 'planks' })))).toEqual({ ok: true, reason: '' })
  const zone = { name: 'Town', yMin: 0, yMax: 60, chunks: [{ cx: 0, cz: 0 }] }
  expect((await ask(server.url, 'POST /api/admin/instances', { token, body: zone })).status).toBe(201)
  const { x, y, z } = placeOf(builder)
  const place = { x: x + 1, y, z: z + 1 }
  builder.session.move(place)
  await builder.session.ping()
  const { text: listed } = await ask(server.url, 'GET /api/admin/config-revisions/groups.yaml', { token })
  return { friend, places, place, text: text + savedLine, revisions: listed, ...(await describeAll(server, token)) }
}

/** The state as an administrator sees it: accounts, zones, worlds, and the audit log. */
const describeAll = async (server: Server, token: string) => {
  const read = async (path: string) => JSON.parse((await ask(server.url, `GET ${path}`, { token })).text)
  const [{ users: listed }, zones, worlds] = [
    await read('/api/admin/users'),
    await read('/api/admin/instances'),
    await read('/api/admin/worlds'),
  ]
  // The sign-in of this test is the last one seen.
  const users = listed.map(({ lastSeenAt: _lastSeenAt, ...account }: Record<string, unknown>) => account)
  const seeds = worlds.map(({ name, seed, createdAt }: Record<string, unknown>) => ({ name, seed, createdAt }))
  const done = (await read('/api/admin/audit?limit=200')).entries.map(({ id }: { id: string }) => id)
  return { users, zones, seeds, done: done as string[] }
}

type Life = Awaited<ReturnType<typeof liveOn>>

const hasAllOf = async (server: Server, life: Omit<Life, 'place'> & Partial<Pick<Life, 'place'>>) => {
  const token = await stage.signIn(server.url, administrator.email, administrator.password)
  const { done, ...seen } = await describeAll(server, token)
  expect(seen).toEqual({ users: life.users, zones: life.zones, seeds: life.seeds })
  expect(done.slice(-life.done.length)).toEqual(life.done)
  expect((await ask(server.url, 'GET /api/admin/configs/groups.yaml', { token })).text).toBe(life.text)
  const revisions = await ask(server.url, 'GET /api/admin/config-revisions/groups.yaml', { token })
  expect(revisions.text).toBe(life.revisions)
  await stage.signIn(server.url, life.friend.email, life.friend.password)
  const again = createBuilder(await stage.enter(server.url, await stage.signIn(server.url, builderEmail)))
  // Positions are stored periodically, and when a server stops.
  if (life.place !== undefined) expect(placeOf(again)).toEqual(life.place)
  expect(await again.look(life.places)).toEqual(life.places.map(() => 'planks'))
  expect((await ask(server.url, 'GET /readyz')).body).toMatchObject({ ready: true })
}

const stop = async (server: Server): Promise<void> => {
  server.signal('SIGTERM')
  const ended = await server.ended
  if (ended !== 0) throw new Error(`the server ended with ${ended}:\n${server.stdout()}\n${server.stderr()}`)
}

afterAll(() => stage.close())

/** The commands are those of a POSIX shell. */
const shell: Need = { reason: 'needs a POSIX shell', isMet: process.platform !== 'win32', isOptional: true }
const describeShell = describeWhere(shell)
const describeShellAndDynamo = describeWhere(shell, anyDynamo)

describeShell('the drill of docs/operations/backup.md with a data folder', () => {
  let DATA_DIR: string
  let life: Life
  let live: Record<'BACKUP' | 'RESTORED', string>
  let stopped: Record<'BACKUP' | 'RESTORED', string>

  /** Uses one server, from which both kinds of backup are made: during its run, and from its folder afterwards. */
  beforeAll(async () => {
    DATA_DIR = await stage.createDataDir()
    const folder = await stage.createEmptyDir()
    const within = (name: string) => ({
      DATA_DIR,
      WORLD: 'default',
      BACKUP: join(folder, name),
      RESTORED: join(folder, `${name}-restored`),
    })
    live = within('live')
    stopped = within('stopped')
    const server = await stage.start({ DATA_DIR })
    life = await liveOn(server)
    await runBlock('backup-live', live)
    await stop(server)
    await runBlock('backup', stopped)
  }, 180_000)

  it('restores everything that was confirmed before the backup, and nothing later', async () => {
    const later = await stage.start({ DATA_DIR })
    const token = await stage.signIn(later.url, administrator.email, administrator.password)
    expect((await ask(later.url, `DELETE /api/admin/users/${life.friend.email}`, { token })).status).toBe(204)
    await stop(later)
    await rm(DATA_DIR, { recursive: true })

    expect(await runBlock('restore', stopped)).toContain('default')
    const restored = await stage.start({ DATA_DIR: stopped.RESTORED })
    await hasAllOf(restored, life)
    await stop(restored)
  }, 180_000)

  it('restores a wiped machine from a backup that was made while players built', async () => {
    const DATA_DIR = await stage.createDataDir()
    const variables = { DATA_DIR, BACKUP: await stage.createEmptyDir() }
    const server = await stage.start({ DATA_DIR, BACKUP_DIR: variables.BACKUP })
    const otherToken = await stage.signIn(server.url, 'other@example.com')
    const life = await liveOn(server)
    const other = createBuilder(await stage.enter(server.url, otherToken))
    const places = other.places.slice(40, 60)
    let isOver = false
    const build = async () => {
      await other.look(places)
      for (let n = 0; !isOver; n += 1) {
        const type = n % 2 === 0 ? 'planks' : 'air'
        await other.edit(places.map((place) => ({ ...place, type })))
      }
    }
    const building = build()
    const listed = await runBlock('backup-now', variables)
    isOver = true
    await building
    expect(listed).toContain('verified')
    const running = stage.adopt(
      startChild('bash', ['-c', 'npm run backup -- restore latest --replace'], { DATA_DIR, BACKUP_DIR: variables.BACKUP, PATH }),
    )
    expect(await running.ended).toBe(2)
    expect(running.stderr()).toContain('Stop it first')
    server.signal('SIGKILL')
    await server.ended
    await rm(DATA_DIR, { recursive: true })

    await runBlock('restore-wiped', variables)
    const restored = await stage.start({ DATA_DIR })
    const { place: _, ...acknowledged } = life
    await hasAllOf(restored, acknowledged)
    // One edit is one write: either all of it was in the backup, or nothing.
    const again = createBuilder(await stage.enter(restored.url, await stage.signIn(restored.url, 'other@example.com')))
    expect(new Set(await again.look(places)).size).toBe(1)
    await stop(restored)
  }, 180_000)

  it('reports a backup that was changed', async () => {
    const DATA_DIR = await stage.createDataDir()
    const folder = await stage.createEmptyDir()
    const variables = { DATA_DIR, BACKUP: folder, RESTORED: join(folder, 'restored'), WORLD: 'default' }
    await runBlock('backup', variables)
    await startChild('bash', ['-c', 'echo damage >> "$BACKUP/data.tar"'], variables).ended
    await expect(runBlock('restore', variables)).rejects.toThrow('data.tar: FAILED')
    expect(await readdir(folder)).not.toContain('restored')
  }, 180_000)

  it('restores a world that was exported beside a running server, in an empty folder', async () => {
    await mkdir(live.RESTORED)
    await startChild('tar', ['-C', live.RESTORED, '-xf', join(live.BACKUP, 'config.tar')]).ended
    await runBlock('restore-world', live)
    const restored = await stage.start({ DATA_DIR: live.RESTORED })
    const again = createBuilder(await stage.enter(restored.url, await stage.signIn(restored.url, builderEmail)))
    expect(await again.look(life.places)).toEqual(life.places.map(() => 'planks'))
    await stop(restored)
  }, 180_000)
})

describeShellAndDynamo('the drill of docs/operations/backup.md with tables', () => {
  let dynamo: DynamoServer | undefined
  afterEach(async () => {
    await stage.close()
    await dynamo?.stop()
  })

  it('restores everything into new tables', async () => {
    dynamo = await openDynamoForTests()
    const place = await createDynamoPlace(stage, dynamo.endpoint)
    const folder = await stage.createEmptyDir()
    const DATA_DIR = await stage.createEmptyDir()
    const server = await stage.start({ ...place, DATA_DIR })
    const life = await liveOn(server)
    await stop(server)
    const prefix = `${place.DYNAMODB_TABLE_PREFIX}restored-`
    const variables = { ...place, BACKUP: join(folder, 'backup'), RESTORED: join(folder, 'restored'), RESTORED_PREFIX: prefix }
    await runBlock('backup-dynamodb', variables)
    await runBlock('restore-dynamodb', variables)
    const restored = await stage.start({ ...place, DYNAMODB_TABLE_PREFIX: prefix, DATA_DIR })
    await hasAllOf(restored, life)
    await stop(restored)
  }, 180_000)
})
