import { spawnSync } from 'node:child_process'
import { chmod, chown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { fileModeIn, folderModeAt } from '../../../../../shared/platform/storage/files/group-folder.ts'
import { itWhere } from '../../../../support/needs/guard.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'

let root: Awaited<ReturnType<typeof createTempDir>>
beforeEach(async () => {
  root = await createTempDir()
})
afterEach(() => root.remove())

it.each([
  [0o700, 0o600, 0o700],
  [0o755, 0o600, 0o700],
  [0o777, 0o600, 0o700],
  [0o1777, 0o600, 0o700],
  [0o770, 0o660, 0o770],
  [0o2750, 0o660, 0o770],
  [0o2775, 0o660, 0o770],
])('in a folder of mode %o new files have %o, new folders %o', async (mode, file, folder) => {
  await chmod(root.path, mode)
  expect([fileModeIn(root.path), folderModeAt(join(root.path, 'a', 'b'))]).toEqual([file, folder])
})

const group = 54_321

/** Opens the storage of a data folder as a user of that group, and reads and writes accounts, records, a world and a backup. */
const useAs = (uid: number, email: string) => {
  const module = join(import.meta.dirname, '../../../../..')
  const script = `
    const { openServices } = await import('${module}/shared/services/services.ts')
    const { parseEnvironment } = await import('${module}/shared/platform/process/environment.ts')
    const { createCapturedLog } = await import('${module}/test/support/time/silent-log.ts')
    const { createOperator } = await import('${module}/realtime/commands/executor/operator.ts')
    const { encodeChunk } = await import('${module}/shared/domain/worlds/chunks/chunk-codec.ts')
    const { createChunk } = await import('${module}/shared/rules/chunks/chunk.ts')
    const { registryOf } = await import('${module}/shared/domain/worlds/chunks/block-registry.ts')
    const services = await openServices(parseEnvironment({ DATA_DIR: '${root.path}', HOME: '${root.path}' }, 'all'), createCapturedLog().log)
    await services.accounts.createAccount(createOperator('test'), { email: '${email}' })
    const world = await services.worlds.ensureActive()
    await services.chunks.putMany(world, [{ cx: ${uid}, cz: 0, bytes: encodeChunk(createChunk(${uid}, 0), registryOf(services.configs.get('blocks.yaml'))) }], 1)
    await services.backups?.create({ signal: new AbortController().signal, tell: () => {} })
    const users = (await services.accountStore.listAccounts({ limit: 10 })).accounts.map((one) => one.email)
    const { chunkCount } = await services.chunks.stats(world)
    console.log(JSON.stringify({ users, chunkCount, backups: (await services.backups?.list())?.length }))
    await services.close()`
  const setpriv = [`--reuid=${uid}`, `--regid=${group}`, '--clear-groups', process.execPath]
  const run = spawnSync('setpriv', [...setpriv, '--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 120_000,
    // The bundles of threads for tests belong to root, so this uses the sources.
    env: { ...process.env, GATEHOUSE_TESTS_THREADS: undefined },
  })
  return run.status === 0 ? JSON.parse(run.stdout) : run.stderr
}

const itAsRoot = itWhere({
  reason: 'needs root and setpriv, to run as two other users',
  isMet:
    process.getuid?.() === 0 &&
    spawnSync('setpriv', [
      '--reuid=54321',
      '--regid=54321',
      '--clear-groups',
      process.execPath,
      '-e',
      `fs.accessSync('${import.meta.filename}')`,
    ]).status === 0,
  isOptional: true,
})

const listModes = async () => {
  const entries = await readdir(root.path, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries.map(async (entry) => ({ name: entry.name, mode: (await stat(join(entry.parentPath, entry.name))).mode & 0o777 })),
  )
}

itAsRoot(
  'two users of one group use one setgid data folder one after the other',
  async () => {
    await chown(root.path, 54_001, group)
    await chmod(root.path, 0o2770)
    expect(useAs(54_001, 'ann@example.com')).toEqual({ users: ['ann@example.com'], chunkCount: 1, backups: 1 })
    expect(useAs(54_002, 'ben@example.com')).toEqual({ users: ['ann@example.com', 'ben@example.com'], chunkCount: 2, backups: 2 })
    expect((await listModes()).filter(({ mode }) => (mode & 0o007) !== 0)).toEqual([])
  },
  300_000,
)

itAsRoot(
  'files of a private data folder stay private',
  async () => {
    await chown(root.path, 54_001, group)
    expect(useAs(54_001, 'ann@example.com')).toMatchObject({ users: ['ann@example.com'] })
    for (const name of ['config', 'records', 'worlds']) expect((await stat(join(root.path, name))).mode & 0o777).toBe(0o700)
    expect((await stat(join(root.path, 'config', 'users.yaml'))).mode & 0o777).toBe(0o600)
  },
  300_000,
)
