import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { waitFor } from '../support/wait-for.ts'
import { ask } from './support/api.ts'
import { createStage, type Server } from './support/stage.ts'

const stage = createStage()
let dataDir: string
let server: Server
let boss: string
beforeAll(async () => {
  dataDir = await stage.createDataDir()
  server = await stage.start({ DATA_DIR: dataDir })
  boss = await stage.claim(server)
})
afterAll(() => stage.close())

const login = (email: string, password = '') => ask(server.url, 'POST /auth/login', { body: { email, password } })
const readUsers = async (): Promise<{ email: string; playerId: string }[]> =>
  parse(await readFile(join(dataDir, 'config', 'users.yaml'), 'utf8')).users

describe('adduser beside a running server', () => {
  it('adds an account that signs in verified within a second, exits with 0 and is in the audit log', async () => {
    const task = stage.adduser(dataDir, ['ann@example.com', 'a good password', 'Ann', '--groups', 'builder,admin'])
    expect(await task.ended).toBe(0)
    expect(task.stdout()).toBe('Added ann@example.com as "Ann" in builder, admin.\n')
    let token = ''
    await waitFor(async () => {
      const { status, body } = await login('ann@example.com', 'a good password')
      token = String(body.token)
      return status === 200 && body.displayName === 'Ann'
    }, 1000)
    expect((await ask(server.url, 'GET /api/admin/users/ann@example.com', { token })).status).toBe(200)
    const { body } = await ask(server.url, 'GET /api/admin/audit?target=ann@example.com', { token: boss })
    expect(body.entries).toMatchObject([{ action: 'account.create', via: 'cli', actor: 'operator', before: null }])
  })

  it('takes the password from the first line of standard input with -', async () => {
    const task = stage.adduser(dataDir, ['ben@example.com', '-'])
    task.endInput('typed, not shown\n')
    expect(await task.ended).toBe(0)
    expect(task.stdout() + task.stderr()).not.toContain('typed, not shown')
    await waitFor(async () => (await login('ben@example.com', 'typed, not shown')).status === 200, 1000)
  })

  it('exits with 1 and the usage when arguments are missing or too many, and with 2 and the reason when it is refused', async () => {
    const [missing, unknown, twice, group, short] = [
      ['only@example.com'],
      ['a@example.com', 'a good password', '--sudo'],
      ['boss@example.com', 'a good password'],
      ['c@example.com', 'a good password', '--groups', 'wizards'],
      ['d@example.com', 'short'],
    ].map((args) => stage.adduser(dataDir, args))
    expect([await missing?.ended, missing?.stderr()]).toEqual([1, expect.stringContaining('npm run adduser -- <email>')])
    expect([await unknown?.ended, unknown?.stderr()]).toEqual([1, expect.stringContaining('npm run adduser -- <email>')])
    expect([await twice?.ended, twice?.stderr()]).toEqual([2, expect.stringContaining('exists already')])
    expect([await group?.ended, group?.stderr()]).toEqual([2, expect.stringContaining('wizards')])
    expect([await short?.ended, short?.stderr()]).toEqual([2, expect.stringContaining('at least 8 bytes')])
    for (const task of [missing, unknown, twice, group, short])
      expect([task?.stdout(), task?.stderr()]).toEqual(['', expect.not.stringMatching(/ {4}at |short"|a good password/)])
    expect((await readUsers()).map(({ email }) => email)).toEqual(
      expect.not.arrayContaining(['only@example.com', 'a@example.com', 'c@example.com', 'd@example.com']),
    )
  })

  it('loses nobody and adds nobody twice when two run at once beside a hundred first sign-ins', async () => {
    const tasks = ['one@example.com', 'two@example.com'].map((email) => stage.adduser(dataDir, [email, 'a good password']))
    const emails = Array.from({ length: 100 }, (_, n) => `new-${n}@example.com`)
    // Each email twice, so that the same account is asked for by two at once.
    const answers = await Promise.all([...emails, ...emails].map((email) => login(email)))
    expect(await Promise.all(tasks.map((task) => task.ended))).toEqual([0, 0])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))

    const users = await readUsers()
    const wanted = [...emails, 'one@example.com', 'two@example.com', 'boss@example.com', 'ann@example.com', 'ben@example.com']
    expect(users.map(({ email }) => email).sort()).toEqual(wanted.sort())
    expect(new Set(users.map(({ playerId }) => playerId)).size).toBe(users.length)
    const idOf = new Map(users.map(({ email, playerId }) => [email, playerId]))
    expect(answers.map(({ body }) => body.playerId)).toEqual([...emails, ...emails].map((email) => idOf.get(email)))
  })
})
