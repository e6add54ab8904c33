import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { openServices } from '../../../shared/services/services.ts'
import { runBackup } from '../../../tools/backup/run-backup.ts'
import { commandNeed } from '../../support/needs/command.ts'
import { describeWhere } from '../../support/needs/guard.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'
import { holdByte } from '../../support/storage/hold-byte.ts'
import { silentLog } from '../../support/time/silent-log.ts'

const describeLinux = describeWhere(
  { reason: 'needs Linux, with its process id namespaces', isMet: process.platform === 'linux', isOptional: true },
  commandNeed('perl'),
)

describeLinux('npm run backup, beside a server in another container with the same process id', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  let dataDir: string
  beforeAll(async () => {
    dir = await createTempDir()
    dataDir = join(dir.path, 'data')
    const services = await openServices(parseEnvironment({ DATA_DIR: dataDir }, 'all'), silentLog)
    await services.accounts.signUp('ann@example.com', 'Ann')
    await services.close()
  })
  afterAll(() => dir.remove())

  const run = async (...args: readonly string[]) => {
    const output: string[] = []
    const exit = await runBackup({
      args,
      environment: () => parseEnvironment({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }, 'task'),
      print: (text) => void output.push(text),
      complain: (text) => void output.push(text),
      signal: new AbortController().signal,
    })
    return { exit, told: output.join('') }
  }

  it('refuses to restore under that server, and names the process', async () => {
    expect(await run('create')).toMatchObject({ exit: 0 })
    const users = join(dataDir, 'config', 'users.yaml')
    const before = await readFile(users, 'utf8')
    const server = await holdByte(join(dataDir, 'records', 'lock.mdb'), process.pid)
    expect(server.isHeld).toBe(true)
    const refusal = { exit: 2, told: expect.stringContaining(`the process id ${process.pid}, the same as this one`) }
    expect(await run('restore', 'latest', '--replace')).toEqual(refusal)
    expect(await run('create')).toEqual(refusal)
    expect(await readFile(users, 'utf8')).toBe(before)
    await server.release()
    expect(await run('restore', 'latest', '--replace')).toMatchObject({ exit: 0 })
  })
})
