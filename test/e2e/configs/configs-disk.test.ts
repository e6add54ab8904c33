import { execFileSync } from 'node:child_process'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect } from '@jest/globals'
import { itWithPrlimit } from '../../support/processes/prlimit.ts'
import { heedingModes, itHeedingModes } from '../../support/processes/setpriv.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { startChild } from '../support/child.ts'
import { type ConfigApi, createConfigApi } from '../support/config-api.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()
afterAll(() => stage.close())

/**
 * A limit for the size of files. It is above all files of LMDB, which does not survive a refused page (lmdb-room.ts), and below
 * the texts of this test.
 */
const lessThanText = 600_000

const setFileLimit = (pid: string, soft: string): void => {
  execFileSync('prlimit', ['--pid', pid, `--fsize=${soft}:unlimited`])
}

/** A server that respects file modes, with its process id. */
const startServer = async (dataDir: string) => {
  const pidFile = join(await stage.createEmptyDir(), 'pid')
  const variables = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info', SHUTDOWN_DELAY_MS: '0', PID_FILE: pidFile }
  const command = [...heedingModes, process.execPath, 'infra/launch.js', 'infra/local.ts']
  const child = stage.adopt(startChild('sh', ['-c', 'echo $$ > "$PID_FILE"; exec "$@"', 'sh', ...command], variables))
  return { server: await stage.ready(child), pid: async () => (await readFile(pidFile, 'utf8')).trim() }
}

/** Larger than the free space. */
const largerText = (text: string): string => `${text}${'# A line that says nothing.\n'.repeat(30_000)}`

type Scene = { readonly server: Server; readonly configs: ConfigApi; readonly file: string; readonly fail: () => unknown }

/** A save that fails, on a server with a player in the game, and checks that everything else is unchanged. */
const expectRefusal = async ({ server, configs, file, fail }: Scene): Promise<void> => {
  const ann = await stage.join(server.url, await stage.signIn(server.url, 'ann@example.com'))
  const before = await configs.read('groups.yaml')
  const revisions = await configs.revisions('groups.yaml')
  await fail()
  const refused = await configs.save('groups.yaml', largerText(before.text))
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.text).not.toContain(file)
  expect(await readFile(file, 'utf8')).toBe(before.text)
  expect(await configs.read('groups.yaml')).toEqual(before)
  expect(await configs.revisions('groups.yaml')).toEqual(revisions)
  expect((await ask(server.url, 'GET /healthz')).status).toBe(200)
  ann.send({ $case: 'ping', value: { nonce: 7 } })
  expect(await ann.next('pong')).toMatchObject({ nonce: 7 })
  expect(ann.isOpen()).toBe(true)
}

/** Checks that the same save succeeds, and that the earlier text is a revision. */
const expectSave = async (configs: ConfigApi, file: string): Promise<void> => {
  const { text } = await configs.read('groups.yaml')
  await waitFor(async () => (await configs.save('groups.yaml', largerText(text))).status === 200)
  expect(await readFile(file, 'utf8')).toBe(largerText(text))
  const [latest] = await configs.revisions('groups.yaml')
  if (latest === undefined) throw new Error('there is no revision')
  expect(await configs.readRevision('groups.yaml', latest)).toBe(text)
}

itWithPrlimit('refuses a save on a full disk, keeps the old text and the players, and recovers', async () => {
  const dataDir = await stage.createDataDir()
  const file = join(dataDir, 'config', 'groups.yaml')
  const { server, pid } = await startServer(dataDir)
  const configs = createConfigApi(server.url, await stage.claim(server))
  const id = await pid()
  await expectRefusal({ server, configs, file, fail: () => setFileLimit(id, String(lessThanText)) })
  setFileLimit(id, 'unlimited')
  await expectSave(configs, file)
})

itHeedingModes('refuses a save in a read-only folder, keeps the old text and the players, and recovers', async () => {
  const dataDir = await stage.createDataDir()
  const folder = join(dataDir, 'config')
  const file = join(folder, 'groups.yaml')
  const { server } = await startServer(dataDir)
  const configs = createConfigApi(server.url, await stage.claim(server))
  await expectRefusal({ server, configs, file, fail: () => chmod(folder, 0o555) })
  await chmod(folder, 0o755)
  await expectSave(configs, file)
})
