import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from '@jest/globals'
import { itWhere } from '../../support/needs/guard.ts'
import { ask } from '../support/api.ts'
import { startChild } from '../support/child.ts'
import { createStage } from '../support/stage.ts'

const stage = createStage()
let dataDir: string
let config: string
beforeAll(async () => {
  dataDir = await stage.createDataDir()
  config = join(dataDir, 'config')
  await writeFile(join(config, 'users.yaml'), 'users: []\n')
})
afterAll(() => stage.close())

/** Starts an entry in a private mount namespace. */
const launchIn = (mount: string, entry: string, args: readonly string[] = []) => {
  const node = [process.execPath, 'infra/launch.js', entry, ...args]
  const variables = { DATA_DIR: dataDir, PORT: '0', HTTP_PORT: '0', METRICS_PORT: '0', SHUTDOWN_DELAY_MS: '0' }
  return stage.adopt(startChild('unshare', ['--mount', 'sh', '-c', `${mount} && exec "$@"`, 'sh', ...node], variables))
}

const itMounted = itWhere({
  reason: 'needs unshare, and the right to mount',
  isMet: spawnSync('unshare', ['--mount', 'true']).status === 0,
  isOptional: true,
})

const mounts = [
  {
    name: 'a config folder that is mounted read-only',
    mount: () => `mount --bind ${config} ${config} && mount -o remount,ro,bind ${config}`,
    refusal: /^users\.yaml cannot be written: it is mounted read-only\. See docs\/containers\.md\.\n$/,
    warning: /^Accounts and configs cannot be saved: .*it is mounted read-only/,
  },
  {
    name: 'users.yaml that is mounted by itself',
    mount: () => `mount --bind ${config}/users.yaml ${config}/users.yaml`,
    refusal: /^users\.yaml cannot be written: it is a separate mount.*See docs\/containers\.md\.\n$/,
    warning: /^config\/users\.yaml cannot be saved: it is a separate mount/,
  },
]

for (const { name, mount, refusal, warning } of mounts) {
  itMounted(
    `adduser names the cause for ${name}`,
    async () => {
      const child = launchIn(mount(), 'tools/adduser.ts', ['ann@example.com', 'a long enough password of ann'])
      expect([await child.ended, child.stderr()]).toEqual([2, expect.stringMatching(refusal)])
    },
    120_000,
  )

  itMounted(
    `/readyz warns of ${name}`,
    async () => {
      const server = await stage.ready(launchIn(mount(), 'infra/local.ts'))
      const { status, text } = await ask(server.url, 'GET /readyz')
      expect([status, JSON.parse(text)]).toEqual([
        200,
        expect.objectContaining({ ready: true, warnings: expect.arrayContaining([expect.stringMatching(warning)]) }),
      ])
      server.signal('SIGTERM')
      await server.ended
    },
    240_000,
  )
}
