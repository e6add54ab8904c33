import { appendFile, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { systemIds as ids } from '../../../shared/kernel/ids.ts'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { createLmdbStore } from '../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { keepMigration } from '../../../shared/services/migration-record.ts'
import { openServices } from '../../../shared/services/services.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { copyCommittedDataFolder } from '../../support/storage/committed-data-folder.ts'
import { runBackupTask } from '../../support/storage/run-backup-task.ts'
import { silentLog } from '../../support/time/silent-log.ts'

let root: Awaited<ReturnType<typeof createTempDir>>
let dataDir: string
let backupDir: string
let made = 0

beforeAll(async () => {
  root = await createTempDir()
  const services = await openServices(parseEnvironment({ DATA_DIR: join(root.path, 'furnished') }, 'all'), silentLog)
  await services.accounts.signUp('ann@example.com', 'Ann')
  await services.close()
})
afterAll(() => root.remove())
beforeEach(async () => {
  made += 1
  dataDir = join(root.path, `${made}-data`)
  backupDir = join(root.path, `${made}-backups`)
  await cp(join(root.path, 'furnished'), dataDir, { recursive: true })
})

const run = (name: string, from = dataDir) => runBackupTask([name], { dataDir: from, backupDir })

describe('npm run backup -- create', () => {
  it('refuses a folder without data, names it, and writes nothing there or among the backups', async () => {
    expect(await run('create')).toMatchObject({ exit: 0, err: '' })
    const { out } = await run('list')
    const [absent, strange] = [join(root.path, 'absent'), join(root.path, 'strange')]
    await mkdir(join(strange, 'other'), { recursive: true })
    const cloned = join(root.path, 'cloned')
    await copyCommittedDataFolder(cloned)
    for (const folder of [absent, strange, cloned])
      expect(await run('create', folder)).toEqual({ exit: 2, out: '', err: expect.stringContaining(`${folder} (DATA_DIR)`) })
    expect([await readdir(absent).catch(() => 'none'), await readdir(strange)]).toEqual(['none', ['other']])
    expect(await run('list')).toMatchObject({ out })
  })

  const countBackups = async () => (await run('list')).out.trimEnd().split('\n').length
  const keepOne = 'backups: { keep: { last: 1, daily: 0, weekly: 0 } }\n'
  const writeConfig = (name: string, text: string) => writeFile(join(dataDir, 'config', name), text)

  it('thins by server.yaml even if the other configs are broken', async () => {
    await writeConfig('server.yaml', keepOne)
    for (const name of ['groups.yaml', 'blocks.yaml']) await writeConfig(name, 'a: [')
    for (let times = 1; times <= 2; times += 1) expect(await run('create')).toMatchObject({ exit: 0, err: '' })
    expect(await countBackups()).toBe(1)
    // No file is saved there, so the default applies.
    await rm(join(dataDir, 'config', 'server.yaml'))
    expect(await run('create')).toMatchObject({ exit: 0, err: '' })
    expect(await countBackups()).toBe(2)
  })

  it.each([
    ['is not YAML', () => writeConfig('server.yaml', `${keepOne}a: [`)],
    ['has an unknown key', () => writeConfig('server.yaml', `${keepOne}oops: 1\n`)],
    ['is not UTF-8', () => appendFile(join(dataDir, 'config', 'server.yaml'), Buffer.from([0xff]))],
    ['cannot be read', () => mkdir(join(dataDir, 'config', 'server.yaml'))],
  ])('creates a backup when server.yaml %s, warns, and thins nothing', async (_what, spoil) => {
    await writeConfig('server.yaml', keepOne)
    expect(await run('create')).toMatchObject({ exit: 0, err: '' })
    if (_what === 'cannot be read') await rm(join(dataDir, 'config', 'server.yaml'))
    await spoil()
    expect(await run('create')).toMatchObject({
      exit: 0,
      out: expect.stringContaining('verified'),
      err: expect.stringMatching(/^No old backup was deleted: server\.yaml/),
    })
    expect(await countBackups()).toBe(2)
  })

  it('refuses a folder with an interrupted restore or an incomplete migration', async () => {
    await mkdir(join(dataDir, '.restoring'))
    expect(await run('create')).toMatchObject({ exit: 2, err: expect.stringContaining('was interrupted') })
    await rm(join(dataDir, '.restoring'), { recursive: true })
    const store = createLmdbStore({ path: join(dataDir, 'records'), ids })
    const begun = { id: ids.uuid(), from: 'elsewhere', sourceId: 'x', startedAt: new Date().toISOString() }
    await keepMigration(store, begun)
    await store.close()
    expect(await run('create')).toMatchObject({ exit: 2, err: expect.stringContaining('npm run migrate') })
    expect(await run('list')).toMatchObject({ out: 'There are no backups.\n' })
  })
})
