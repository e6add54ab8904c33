import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect } from '@jest/globals'
import { itWithPrlimit } from '../../support/processes/prlimit.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { startChild } from '../support/child.ts'
import { createConfigApi } from '../support/config-api.ts'
import { createStage } from '../support/stage.ts'

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

/** A server, with its process id. */
const startServer = async (dataDir: string) => {
  const pidFile = join(await stage.createEmptyDir(), 'pid')
  const variables = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info', SHUTDOWN_DELAY_MS: '0', PID_FILE: pidFile }
  const command = [process.execPath, 'infra/launch.js', 'infra/local.ts']
  const child = stage.adopt(startChild('sh', ['-c', 'echo $$ > "$PID_FILE"; exec "$@"', 'sh', ...command], variables))
  return { server: await stage.ready(child), pid: async () => (await readFile(pidFile, 'utf8')).trim() }
}

/** Larger than the free space. */
const largerText = (text: string): string => `${text}${'# A line that says nothing.\n'.repeat(30_000)}`

itWithPrlimit('refuses a save on a full disk, keeps the old text and the players, and recovers', async () => {
  const dataDir = await stage.createDataDir()
  const file = join(dataDir, 'config', 'groups.yaml')
  const { server, pid } = await startServer(dataDir)
  const configs = createConfigApi(server.url, await stage.claim(server))
  const ann = await stage.join(server.url, await stage.signIn(server.url, 'ann@example.com'))
  const before = await configs.read('groups.yaml')
  const revisions = await configs.revisions('groups.yaml')
  setFileLimit(await pid(), String(lessThanText))
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

  setFileLimit(await pid(), 'unlimited')
  await waitFor(async () => (await configs.save('groups.yaml', largerText(before.text))).status === 200)
  expect(await readFile(file, 'utf8')).toBe(largerText(before.text))
  const [latest] = await configs.revisions('groups.yaml')
  if (latest === undefined) throw new Error('there is no revision')
  expect(await configs.readRevision('groups.yaml', latest)).toBe(before.text)
})
