import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { BackupWork } from '../../../../shared/domain/backups/backup.ts'
import { createBackups } from '../../../../shared/domain/backups/files/create-backups.ts'
import { createBlockRegistry } from '../../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { createFlatGenerator } from '../../../../shared/domain/worlds/generation/flat-generator.ts'
import { systemClock as clock } from '../../../../shared/kernel/clock.ts'
import { systemIds as ids } from '../../../../shared/kernel/ids.ts'
import { parseEnvironment } from '../../../../shared/platform/process/environment.ts'
import { openServices } from '../../../../shared/services/services.ts'
import type { Services } from '../../../../shared/services/wire-services.ts'
import { runBackup } from '../../../../tools/backup/run-backup.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

const registry = createBlockRegistry([{ id: 'stone', name: 'stone', colour: 0, solid: true }])
const flat = createFlatGenerator({ flat: { layers: [{ block: 'stone', height: 60 }] } }, registry)
const columnAt = (cx: number) => encodeChunk(flat.generate(cx, 0), registry)
const column = columnAt(0)
const names = ['default', 'a', 'b', 'c', 'd', 'e', 'f']
const work = (): BackupWork => ({ signal: new AbortController().signal, tell: () => undefined })

let root: Awaited<ReturnType<typeof createTempDir>>
let services: Services
let dataDir: string
let apiToken: string
const backupsIn = (backupDir: string) => createBackups({ dataDir, backupDir, clock, ids })
const put = async (world: string, cx: number) => {
  const record = await services.worlds.getWorld(world)
  await services.chunks.putMany(record, [{ cx, cz: 0, bytes: columnAt(cx) }], 1)
}

beforeAll(async () => {
  root = await createTempDir()
  dataDir = join(root.path, 'data')
  services = await openServices(parseEnvironment({ DATA_DIR: dataDir }, 'all'), silentLog)
  for (const name of names) {
    await services.worlds.createWorld({ name, generator: 'flat-1' })
    await put(name, 0)
  }
  const { playerId } = await services.accounts.signUp('ann@example.com', 'Ann')
  const actor = { email: 'ann@example.com', via: 'http', requestId: 'r' } as const
  const change = { playerId, actor, target: actor.email }
  apiToken = (await services.apiTokens.create(change, { name: 'nightly backup', permissions: ['admin.backups.*'] })).token
})
afterAll(async () => {
  await services.close()
  await root.remove()
})

/** Runs a command line task on other folders while these services are open. */
const run = async (args: readonly string[], places: Record<string, string>) => {
  const output = { out: '', err: '' }
  const exit = await runBackup({
    args,
    environment: () => parseEnvironment({ ...places, LOG_LEVEL: 'silent' }, 'task'),
    print: (text) => {
      output.out += text
    },
    complain: (text) => {
      output.err += text
    },
    signal: new AbortController().signal,
  })
  return { exit, ...output }
}

describe('a backup', () => {
  it('is consistent over all stores during concurrent writes, without partial data', async () => {
    const backupDir = join(root.path, 'moment')
    let isOver = false
    let written = 0
    // The order of writes that readers see: default, the other worlds, the account. No moment has a later write without an earlier one.
    const write = async () => {
      while (!isOver) {
        written += 1
        for (const name of names) await put(name, written)
        await services.accounts.signUp(`n${written}@example.com`, 'N')
      }
    }
    const writing = write()
    const making = backupsIn(backupDir).create(work())
    await making.catch(() => undefined)
    isOver = true
    await writing
    const backup = await making
    expect(backup).toMatchObject({ worlds: names.toSorted(), verifiedAt: expect.any(String) })

    const restored = join(root.path, 'moment-restored')
    expect(await run(['restore', 'latest'], { DATA_DIR: restored, BACKUP_DIR: backupDir })).toMatchObject({ exit: 0 })
    const copy = await openServices(parseEnvironment({ DATA_DIR: restored }, 'all'), silentLog)
    expect(await copy.apiTokens.find(apiToken)).toMatchObject({ scope: ['admin.backups.*'] })
    const counts: number[] = []
    for (const name of names) counts.push((await copy.chunks.stats(await copy.worlds.getWorld(name))).chunkCount)
    const accounts = (await copy.accountStore.listAccounts({ limit: 200 })).accounts.length
    await copy.close()
    const chain = [...counts, accounts]
    for (const [n, count] of chain.entries()) expect(count).toBeLessThanOrEqual(chain[n - 1] ?? count)
    expect(Math.max(...chain) - Math.min(...chain)).toBeLessThanOrEqual(1)
  })

  it('is refused inside its source folders, and in a read-only folder', async () => {
    for (const within of [dataDir, join(dataDir, 'worlds', 'x'), join(dataDir, 'config')])
      await expect(backupsIn(within).create(work())).rejects.toMatchObject({
        kind: 'unavailable',
        publicDetail: expect.stringContaining('BACKUP_DIR'),
      })
    await rm(join(dataDir, 'worlds', 'x'), { recursive: true, force: true })
    const file = join(root.path, 'file')
    await writeFile(file, '')
    await expect(backupsIn(file).create(work())).rejects.toMatchObject({
      kind: 'unavailable',
      publicDetail: expect.not.stringContaining(root.path),
    })
    if (process.getuid?.() === 0) return
    const readOnly = join(root.path, 'read-only')
    await mkdir(readOnly)
    await chmod(readOnly, 0o500)
    await expect(backupsIn(readOnly).create(work())).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('is refused without enough disk space, and leaves nothing', async () => {
    const backupDir = join(root.path, 'no-room')
    const sparse = join(dataDir, 'config', 'sparse')
    await writeFile(sparse, '')
    await truncate(sparse, 8 * 2 ** 40)
    try {
      await expect(backupsIn(backupDir).create(work())).rejects.toMatchObject({ slug: 'storage-full' })
    } finally {
      await rm(sparse)
    }
    expect((await readdir(backupDir)).filter((name) => name !== '.backups.lock')).toEqual([])
  })

  it('leaves nothing when stopped, removes partial ones, and runs once for two callers', async () => {
    const backupDir = join(root.path, 'stopped')
    const backups = backupsIn(backupDir)
    const stop = new AbortController()
    stop.abort(new Error('stopped'))
    await expect(backups.create({ signal: stop.signal, tell: () => undefined })).rejects.toThrow('stopped')
    expect((await readdir(backupDir)).filter((name) => name !== '.backups.lock')).toEqual([])
    await mkdir(join(backupDir, '.making-20260101T000000Z-00000000', 'records'), { recursive: true })
    const [one, other] = await Promise.allSettled([backups.create(work()), backups.create(work())])
    expect([one.status, other]).toEqual([
      'fulfilled',
      { status: 'rejected', reason: expect.objectContaining({ kind: 'conflict' }) },
    ])
    expect((await readdir(backupDir)).filter((name) => name !== '.backups.lock')).toHaveLength(1)
    expect(await backups.list()).toHaveLength(1)
  })

  it.each([
    ['a config that changed', 'config/groups.yaml', (text: Buffer) => Buffer.concat([text, Buffer.from('#')])],
    [
      'a column with another byte',
      'worlds/a/data.mdb',
      (bytes: Buffer) => {
        // Damages every copy of the column, because free pages contain it too.
        const part = column.subarray(4, 40)
        for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + part.length)) flip(bytes, at + 8)
        return bytes
      },
    ],
    ['a world cut short', 'worlds/b/data.mdb', (bytes: Buffer) => bytes.subarray(0, 8192 + 100)],
    ['records of noise', 'records/data.mdb', (bytes: Buffer) => bytes.fill(7, 8192)],
    ['no records at all', 'records/data.mdb', () => Buffer.alloc(0)],
  ])('with %s is reported as damaged, with exit code 3, and is not restored', async (_what, name, damage) => {
    const whole = join(root.path, 'whole')
    if ((await backupsIn(whole).list()).length === 0) await backupsIn(whole).create(work())
    const backupDir = join(root.path, 'damaged')
    await rm(backupDir, { recursive: true, force: true })
    await cp(whole, backupDir, { recursive: true })
    const [{ id } = { id: '' }] = await backupsIn(backupDir).list()
    const path = join(backupDir, id, name)
    await writeFile(path, damage(await readFile(path)))
    const places = { DATA_DIR: join(root.path, 'never'), BACKUP_DIR: backupDir }
    expect(await run(['restore', id], places)).toMatchObject({ exit: 3, err: expect.stringContaining('damaged') })
    expect(await readdir(places.DATA_DIR).catch(() => [])).toEqual([])
  })
})

const flip = (bytes: Buffer, at: number): Buffer => {
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return bytes
}

describe('npm run backup', () => {
  it('refuses to restore over data or a running server; --replace keeps the previous data', async () => {
    const backupDir = join(root.path, 'replace')
    const { id } = await backupsIn(backupDir).create(work())
    expect(await run(['restore', id], { DATA_DIR: dataDir, BACKUP_DIR: backupDir })).toMatchObject({
      exit: 2,
      err: expect.stringContaining('--replace'),
    })
    // Stands for a running server: another process has the folder open.
    const other = join(root.path, 'other')
    await cp(dataDir, other, { recursive: true, filter: (path) => !path.endsWith('lock.mdb') })
    await rm(join(other, 'config', 'users.yaml'))
    const places = { DATA_DIR: other, BACKUP_DIR: backupDir }
    expect(await run(['restore', id, '--replace'], places)).toMatchObject({
      exit: 0,
      out: expect.stringContaining('Backed up the replaced data as'),
    })
    expect(await readFile(join(other, 'config', 'users.yaml'), 'utf8')).toContain('ann@example.com')
    expect(await backupsIn(backupDir).list()).toHaveLength(2)
    expect((await readdir(other)).sort()).toEqual(expect.arrayContaining(['config', 'records', 'worlds']))
    expect((await readdir(other)).filter((name) => name.startsWith('.restoring') || name.startsWith('replaced'))).toEqual([])
  })

  it('prevents a server start on an interrupted restore, and completes it when run again', async () => {
    const backupDir = join(root.path, 'cut')
    const { id } = await backupsIn(backupDir).create(work())
    const cut = join(root.path, 'cut-data')
    await mkdir(join(cut, '.restoring', 'old', 'records'), { recursive: true })
    await mkdir(join(cut, 'worlds'))
    await expect(openServices(parseEnvironment({ DATA_DIR: cut }, 'all'), silentLog)).rejects.toMatchObject({
      publicDetail: expect.stringContaining('was interrupted'),
    })
    expect(await run(['restore', id, '--replace'], { DATA_DIR: cut, BACKUP_DIR: backupDir })).toMatchObject({ exit: 0 })
    const copy = await openServices(parseEnvironment({ DATA_DIR: cut }, 'all'), silentLog)
    expect(await copy.worlds.listWorlds()).toHaveLength(names.length)
    await copy.close()
  })

  it.each([
    [[], 1],
    [['explode'], 1],
    [['verify'], 1],
    [['restore'], 1],
    [['restore', 'x', '--now'], 1],
    [['verify', '../../etc'], 2],
    [['restore', 'latest'], 2],
    [['create'], 2],
  ])('%j ends with %i', async (args, exit) => {
    const ran = await run(args, { DATA_DIR: join(root.path, 'none'), BACKUP_DIR: join(root.path, 'no-backups') })
    expect([ran.exit, ran.out]).toEqual([exit, ''])
    expect(ran.err).not.toBe('')
  })

  it('names with DynamoDB the service that makes backups', async () => {
    const places = { STORAGE: 'dynamodb', DYNAMODB_ENDPOINT: 'http://127.0.0.1:1', REDIS_URL: 'redis://127.0.0.1:1' }
    expect(await run(['list'], places)).toMatchObject({ exit: 2, err: expect.stringContaining('point-in-time') })
  })
})

it('archives a backup that tar unpacks to the same bytes, and deletes it', async () => {
  const backupDir = join(root.path, 'archived')
  const backups = backupsIn(backupDir)
  const { id } = await backups.create(work())
  const archive = join(root.path, 'backup.tar')
  await writeFile(archive, await backups.archive(id))
  const unpacked = join(root.path, 'unpacked')
  await mkdir(unpacked)
  await promisify(execFile)('tar', ['-xf', archive, '-C', unpacked])
  for (const name of ['backup.json', 'config/users.yaml', 'records/data.mdb', 'worlds/default/data.mdb'])
    expect((await readFile(join(unpacked, id, name))).equals(await readFile(join(backupDir, id, name)))).toBe(true)
  expect((await backupsIn(unpacked).verify(id, work())).id).toBe(id)
  await backups.remove(id)
  expect(await backups.list()).toEqual([])
  await expect(backups.remove(id)).rejects.toMatchObject({ kind: 'not-found' })
  await expect(backups.archive(id)).rejects.toMatchObject({ kind: 'not-found' })
})
