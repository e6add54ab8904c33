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

const project = join(import.meta.dirname, '../../../../..')

/** Uses the storage of the data folder in another process, which `before` may give to another user. */
const use = (email: string, cx: number, before: readonly string[] = []) => {
  const script = join(project, 'test/support/storage/use-data-folder-script.ts')
  const [file = '', ...args] = [
    ...before,
    process.execPath,
    join(project, 'infra/launch.js'),
    script,
    root.path,
    email,
    String(cx),
  ]
  // The bundles of threads for tests belong to root, so this uses those of the script.
  const env = { ...process.env, GATEHOUSE_TESTS_THREADS: undefined }
  const run = spawnSync(file, args, { encoding: 'utf8', timeout: 120_000, cwd: project, env })
  return run.status === 0 ? JSON.parse(run.stdout) : run.stderr
}

/** Does so as a user of the group. */
const useAs = (uid: number, email: string) => use(email, uid, ['setpriv', `--reuid=${uid}`, `--regid=${group}`, '--clear-groups'])

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

// Before the other users, who may only read the bundle of the script.
it('files of a private data folder stay private', async () => {
  await chmod(root.path, 0o700)
  expect(use('ann@example.com', 1)).toMatchObject({ users: ['ann@example.com'] })
  for (const name of ['config', 'records', 'worlds']) expect((await stat(join(root.path, name))).mode & 0o777).toBe(0o700)
  expect((await stat(join(root.path, 'config', 'users.yaml'))).mode & 0o777).toBe(0o600)
}, 300_000)

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
