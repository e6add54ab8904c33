import { execFileSync } from 'node:child_process'
import { cp, mkdir, open, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createBackups } from '../../../shared/domain/backups/files/create-backups.ts'
import { systemClock as clock } from '../../../shared/kernel/clock.ts'
import { systemIds as ids } from '../../../shared/kernel/ids.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { holdFileLock } from '../../../shared/platform/storage/files/file-lock.ts'
import { openServices } from '../../../shared/services/services.ts'
import type { Services } from '../../../shared/services/wire-services.ts'
import { itWhere } from '../../support/needs/guard.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { copyCommittedDataFolder } from '../../support/storage/committed-data-folder.ts'
import { runBackupTask } from '../../support/storage/run-backup-task.ts'
import { createFolderOnSecondDisk, secondDisk } from '../../support/storage/second-disk.ts'
import { silentLog } from '../../support/time/silent-log.ts'

let root: Awaited<ReturnType<typeof createTempDir>>
let dataDir: string
let backupDir: string
let id: string
let made = 0

beforeAll(async () => {
  root = await createTempDir()
})
afterAll(() => root.remove())

const withServices = async <T>(work: (services: Services) => Promise<T>): Promise<T> => {
  const services = await openServices(parseEnvironment({ DATA_DIR: dataDir }, 'all'), silentLog)
  try {
    return await work(services)
  } finally {
    await services.close()
  }
}

const listEmails = () =>
  withServices(async ({ accountStore, worlds }) => {
    await worlds.getWorld('default')
    return (await accountStore.listAccounts({ limit: 200 })).accounts.map(({ email }) => email)
  })

const findBackup = (): string => join(backupDir, id)

// A data folder that changed after its backup.
beforeEach(async () => {
  made += 1
  dataDir = join(root.path, `${made}-data`)
  backupDir = join(root.path, `${made}-backups`)
  await withServices(async ({ accounts, worlds }) => {
    await worlds.createWorld({ name: 'default', generator: 'flat-1' })
    await accounts.signUp('ann@example.com', 'Ann')
  })
  const work = { signal: new AbortController().signal, tell: () => undefined }
  ;({ id } = await createBackups({ dataDir, backupDir, clock, ids }).create(work))
  await withServices(({ accounts }) => accounts.signUp('later@example.com', 'Later'))
})

// Names the backup, because an earlier attempt may have stored a later one.
const restore = () => runBackupTask(['restore', id, '--replace'], { dataDir, backupDir })

const leftovers = async () => (await readdir(dataDir)).filter((name) => /^(?:\.restoring|replaced)/.test(name))

describe('npm run backup -- restore', () => {
  it('restores no tokens, because a token may have been revoked after the backup', async () => {
    const grant = { playerId: ids.uuid(), verified: true, signInId: ids.uuid(), signedInAt: clock.now() }
    const token = await withServices(({ tokens }) => tokens.issue(grant))
    const work = { signal: new AbortController().signal, tell: () => undefined }
    const made = await createBackups({ dataDir, backupDir, clock, ids }).create(work)
    await withServices(({ tokens }) => tokens.revoke(token))
    expect(await runBackupTask(['restore', made.id, '--replace'], { dataDir, backupDir })).toMatchObject({ exit: 0, err: '' })
    expect(await withServices(({ tokens }) => tokens.find(token))).toBeUndefined()
  })

  it('restores into a freshly cloned data folder without --replace, and keeps its README.md', async () => {
    dataDir = join(root.path, `${made}-clone`)
    await copyCommittedDataFolder(dataDir)
    expect(await runBackupTask(['restore', id], { dataDir, backupDir })).toMatchObject({ exit: 0, err: '' })
    expect(await listEmails()).toEqual(['ann@example.com'])
    expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['.gitignore', 'README.md']))
    expect(await readdir(findBackup())).not.toContain('README.md')
  })

  it('leaves the data folder unchanged each time that it cannot copy the backup', async () => {
    // A pipe cannot be copied. The verification reads only the files that the backup lists.
    execFileSync('mkfifo', [join(findBackup(), 'config', 'pipe')])
    for (let tries = 1; tries <= 2; tries += 1) {
      expect(await restore()).toMatchObject({ exit: 2, err: expect.stringContaining('The data folder has not changed') })
      expect(await leftovers()).toEqual([])
    }
    expect(await listEmails()).toEqual(['ann@example.com', 'later@example.com'])
  })

  it('is refused without enough disk space before it writes anything', async () => {
    const sparse = join(findBackup(), 'config', 'sparse')
    await writeFile(sparse, '')
    await truncate(sparse, 8 * 2 ** 40)
    expect(await restore()).toMatchObject({ exit: 2, err: expect.stringContaining('does not fit') })
    expect(await leftovers()).toEqual([])
    expect(await createBackups({ dataDir, backupDir, clock, ids }).list()).toHaveLength(1)
    expect(await listEmails()).toEqual(['ann@example.com', 'later@example.com'])
  })

  it('does not block the server when killed while copying, and later removes the partial copy', async () => {
    await mkdir(join(dataDir, '.restoring.new', 'worlds'), { recursive: true })
    expect(await listEmails()).toEqual(['ann@example.com', 'later@example.com'])
    expect(await restore()).toMatchObject({ exit: 0, err: '' })
    expect(await leftovers()).toEqual([])
    expect(await listEmails()).toEqual(['ann@example.com'])
  })

  it('keeps the replaced data of an interrupted restore, also when a later restore fails', async () => {
    await mkdir(join(dataDir, '.restoring', 'old', 'config'), { recursive: true })
    await mkdir(join(dataDir, '.restoring', 'worlds'))
    const pipe = join(findBackup(), 'config', 'pipe')
    execFileSync('mkfifo', [pipe])
    for (let tries = 1; tries <= 2; tries += 1) {
      expect(await restore()).toMatchObject({ exit: 2, err: expect.stringContaining('run the command again') })
      expect(await leftovers()).toEqual(['.restoring'])
    }
    await rm(pipe)
    expect(await restore()).toMatchObject({ exit: 0 })
    const retained = await Promise.all((await leftovers()).map(async (name) => (await readdir(join(dataDir, name))).toSorted()))
    // The data that the first attempt had removed, and the data in its place.
    expect(retained).toHaveLength(2)
    expect(retained).toEqual(expect.arrayContaining([['config'], ['config', 'records']]))
    expect(await listEmails()).toEqual(['ann@example.com'])
  })

  it.each([
    ['the jobs of the data folder', 'jobs'],
    ['a world', 'worlds/default.lease'],
  ])('is refused under a server that runs %s, even though its records are damaged', async (_what, path) => {
    const lock = holdFileLock(join(dataDir, path))
    const records = await open(join(dataDir, 'records', 'data.mdb'), 'r+')
    await records.write(Buffer.alloc(4096, 7), 0, 4096, 0)
    await records.close()
    const before = (await readdir(dataDir, { recursive: true })).toSorted()
    expect(await restore()).toMatchObject({ exit: 2, err: expect.stringContaining('Stop it first') })
    expect((await readdir(dataDir, { recursive: true })).toSorted()).toEqual(before)
    lock?.release()
    // Without a running server, the damaged data is set aside.
    expect(await restore()).toMatchObject({ exit: 0, out: expect.stringContaining('It is in the data folder as') })
    expect(await listEmails()).toEqual(['ann@example.com'])
  })
})

itWhere(secondDisk)('restores configs and records on disks of their own, and keeps the previous data', async () => {
  const disks = [createFolderOnSecondDisk(), createFolderOnSecondDisk()]
  try {
    for (const [at, part] of ['config', 'records'].entries()) {
      const disk = disks[at]?.path ?? ''
      await cp(join(dataDir, part), disk, { recursive: true })
      await rm(join(dataDir, part), { recursive: true })
      await symlink(disk, join(dataDir, part))
    }
    expect(await restore()).toMatchObject({ exit: 0, err: '' })
    expect(await listEmails()).toEqual(['ann@example.com'])
    expect(await readdir(disks[0]?.path ?? '')).toContain('users.yaml')
    expect(await readdir(disks[1]?.path ?? '')).toContain('data.mdb')
    expect((await readdir(dataDir)).filter((name) => name.startsWith('.') || name.startsWith('replaced'))).toEqual([])
  } finally {
    for (const disk of disks) disk.remove()
  }
})
