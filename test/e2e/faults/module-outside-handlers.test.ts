import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { administrator, createStage, quickConfig, type Server } from '../support/stage.ts'

const careless = `import { defineModule } from 'gatehouse/module'
const command = (run) => ({ description: 'A fault.', forms: [[]], permission: 'none', run })
export default defineModule({
  name: 'careless',
  api: 1,
  commands: {
    promise: command(() => { void Promise.reject(new Error('nobody waits')); return 'done' }),
    timer: command(() => { setTimeout(() => { throw new Error('thrown in a timer') }, 1); return 'done' }),
    tell: command((caller) => { setTimeout(() => caller.tell('late'), 1); return 'done' }),
    text: command(() => { void Promise.reject('no stack'); return 'done' }),
  },
})
`
const slow = 180_000

describe('a fault of a module outside of its handlers', () => {
  const stage = createStage()
  let server: Server

  beforeAll(async () => {
    const dataDir = await stage.createDataDir(quickConfig)
    await mkdir(join(dataDir, 'modules'))
    await writeFile(join(dataDir, 'modules', 'careless.ts'), careless)
    server = await stage.start({ DATA_DIR: dataDir })
    await stage.claim(server)
  }, slow)
  afterAll(() => stage.close())

  it.each([
    ['promise', 'nobody waits'],
    ['timer', 'thrown in a timer'],
    ['tell', 'player.tell works only while a handler of the module runs'],
  ])(
    'is a fault of the module, and the server goes on: /%s',
    async (command, cause) => {
      const player = await stage.join(server.url, await stage.signIn(server.url, `${command}@example.com`))
      player.command(`/${command}`, 1)
      const token = await stage.signIn(server.url, administrator.email, administrator.password)
      await waitFor(async () => {
        const { modules } = (await ask(server.url, 'GET /api/admin/modules', { token })).body
        const { fault } = (modules as { name: string; fault?: object }[]).find(({ name }) => name === 'careless') ?? {}
        return JSON.stringify(fault ?? '').includes(cause)
      })
      player.command('/careless:text', 2)
      await waitFor(() => player.all('commandResult').length === 2)
      await waitFor(() => stage.output().includes('nothing handles a rejected promise'))
      expect(stage.output()).toMatch(/"module":"careless","handler":"code outside of handlers".*"where":"careless\.ts:\d+:\d+"/)
    },
    slow,
  )
})
