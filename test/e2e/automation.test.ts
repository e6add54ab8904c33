import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { createCall } from '../../sdk/admin/call.ts'
import { connect } from '../../sdk/connection/connect.ts'
import { signIn } from '../../sdk/sign-in/sign-in.ts'
import { readPage, readScript } from '../support/pages/markdown.ts'
import { waitFor } from '../support/time/wait-for.ts'
import { ask } from './support/api.ts'
import { startChild } from './support/child.ts'
import { administrator, createStage, type Server } from './support/stage.ts'

const stage = createStage()
const page = readPage('automation.md')
let dataDir: string
let server: Server
let boss: string
let folder: string
beforeAll(async () => {
  dataDir = await stage.createDataDir()
  server = await stage.start({ DATA_DIR: dataDir })
  boss = await stage.claim(server)
  folder = await stage.createEmptyDir()
})
afterAll(() => stage.close())

/** Creates a token with the command line, while the server runs. */
const createToken = async (...permissions: readonly string[]): Promise<string> => {
  const task = stage.launch('tools/token.ts', ['create', administrator.email, 'test', ...permissions], { DATA_DIR: dataDir })
  expect(await task.ended).toBe(0)
  expect(task.stderr()).toBe('')
  return task.stdout().trim()
}
const runScript = async (name: string, token: string, args: readonly string[] = []) => {
  const path = join(folder, name)
  await writeFile(path, readScript(page, name))
  const variables = { GATEHOUSE_URL: server.url, GATEHOUSE_TOKEN: token }
  const child = stage.adopt(startChild(process.execPath, [path, ...args], variables))
  return { code: await child.ended, output: child.stdout(), complaints: child.stderr() }
}

describe('a script of docs/automation.md with a token of npm run token', () => {
  it('makes a backup, and fails without the permission', async () => {
    const done = await runScript('nightly-backup.mjs', await createToken('admin.backups.write', 'admin.jobs.read'))
    expect(done).toMatchObject({ code: 0, complaints: '', output: expect.stringMatching(/^done: /) })
    const { body } = await ask(server.url, 'GET /api/admin/backups', { token: boss })
    expect(body.backups).toHaveLength(1)
    const refused = await runScript('nightly-backup.mjs', await createToken('admin.jobs.read'))
    expect(refused.code).toBe(1)
    expect(refused.complaints).toContain('403 This API token does not include the permission "admin.backups.write".')
  })

  it('shows the worlds and their players', async () => {
    const game = await stage.enter(server.url, await stage.signIn(server.url, 'ann@example.com'))
    const shown = await runScript('dashboard.mjs', await createToken('admin.players.read'))
    expect(shown).toMatchObject({
      code: 0,
      complaints: '',
      output: expect.stringMatching(/^default: ready, 1 of \d+ players ann\n$/),
    })
    await game.session.close()
  })

  it('saves a config after a dry run, once, and refuses an invalid one', async () => {
    const token = await createToken('*')
    const config = join(dataDir, 'config', 'server.yaml')
    const file = join(folder, 'server.yaml')
    await writeFile(file, `${await readFile(config, 'utf8')}\nhistory: { days: 12 }\n`)
    const saved = await runScript('save-config.mjs', token, ['server.yaml', file])
    expect(saved).toMatchObject({ code: 0, complaints: '', output: expect.stringContaining('saved; a ') })
    expect(await readFile(config, 'utf8')).toContain('days: 12')
    expect((await runScript('save-config.mjs', token, ['server.yaml', file])).output).toBe('nothing to change\n')
    await writeFile(file, 'history: { days: -1 }\n')
    const refused = await runScript('save-config.mjs', token, ['server.yaml', file])
    expect([refused.code, refused.complaints]).toEqual([1, expect.stringContaining('422')])
  })
})

describe('the client library with an API token', () => {
  it('calls routes and plays, until the token is deleted', async () => {
    const token = await createToken('command.who', 'admin.players.read')
    const me = await signIn({ url: server.url, token })
    expect(me).toMatchObject({ verified: true })
    const call = createCall(me)
    expect((await call('GET /api/admin/players')).status).toBe(200)
    await expect(call('GET /api/admin/users')).rejects.toMatchObject({ type: '/problems/missing-permission' })
    const session = await connect(me, { WebSocket })
    expect(await session.command('/who')).toMatchObject({ ok: true })
    const ended = new Promise((resolve) => session.on('state', (state) => state.name === 'ended' && resolve(state.reason)))
    const list = stage.launch('tools/token.ts', ['list'], { DATA_DIR: dataDir })
    expect(await list.ended).toBe(0)
    const id = list.stdout().trim().split('\n').at(-1)?.split('\t')[0] ?? ''
    const task = stage.launch('tools/token.ts', ['delete', id], { DATA_DIR: dataDir })
    expect(await task.ended).toBe(0)
    const deleted = Date.now()
    expect(await ended).toBe('sign-in-ended')
    expect(Date.now() - deleted).toBeLessThan(30_000)
    // The HTTP half remembers a checked token for a moment.
    await waitFor(() =>
      me.renew().then(
        () => false,
        () => true,
      ),
    )
    await expect(me.renew()).rejects.toMatchObject({ type: 'sign-in-over' })
    me.close()
    await expect(signIn({ url: server.url, token })).rejects.toMatchObject({ type: '/problems/invalid-token' })
  })

  it('leaves only hashes of tokens in the data folder', async () => {
    const token = await createToken('*')
    await server.kill()
    const grep = stage.adopt(startChild('grep', ['-rFla', token, dataDir], {}))
    expect(await grep.ended).toBe(1)
    expect(grep.stdout()).toBe('')
    const anyToken = stage.adopt(startChild('grep', ['-rlaE', 'ght_[A-Za-z0-9_-]{43}', dataDir], {}))
    expect(await anyToken.ended).toBe(1)
  })
})
