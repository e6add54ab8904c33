import { cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { runBackup } from '../../../infra/backup/run-backup.ts'
import { parseEnvironment } from '../../../shared/services/environment.ts'
import { openServices } from '../../../shared/services/services.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
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

const run = async (name: string, from = dataDir) => {
  const told = { out: '', err: '' }
  const exit = await runBackup({
    args: [name],
    environment: () => parseEnvironment({ DATA_DIR: from, BACKUP_DIR: backupDir, LOG_LEVEL: 'silent' }, 'task'),
    print: (text) => {
      told.out += text
    },
    complain: (text) => {
      told.err += text
    },
    signal: new AbortController().signal,
  })
  return { exit, ...told }
}

describe('npm run backup -- create', () => {
  it('refuses a folder without data, names it, and makes nothing there or among the backups', async () => {
    expect(await run('create')).toMatchObject({ exit: 0, err: '' })
    const { out } = await run('list')
    const [absent, strange] = [join(root.path, 'absent'), join(root.path, 'strange')]
    await mkdir(join(strange, 'other'), { recursive: true })
    for (const folder of [absent, strange])
      expect(await run('create', folder)).toEqual({ exit: 2, out: '', err: expect.stringContaining(`${folder} (DATA_DIR)`) })
    expect([await readdir(absent).catch(() => 'none'), await readdir(strange)]).toEqual(['none', ['other']])
    expect(await run('list')).toMatchObject({ out })
  })
})
