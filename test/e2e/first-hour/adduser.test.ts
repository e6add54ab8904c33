import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { ask } from '../support/api.ts'
import { createStage, type Server } from '../support/stage.ts'

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
  it('adds an account with a verified sign-in, exits with 0 and writes an audit entry', async () => {
    const task = stage.adduser(dataDir, ['ann@example.com', 'a good password', 'Ann', '--groups', 'builder,admin'])
    expect(await task.ended).toBe(0)
    expect(task.stdout()).toBe('Added ann@example.com as "Ann" in builder, admin.\n')
    const { status, body } = await login('ann@example.com', 'a good password')
    expect([status, body.displayName]).toEqual([200, 'Ann'])
    expect((await ask(server.url, 'GET /api/admin/users/ann@example.com', { token: String(body.token) })).status).toBe(200)
    const audit = await ask(server.url, 'GET /api/admin/audit?target=ann@example.com', { token: boss })
    expect(audit.body.entries).toMatchObject([{ action: 'account.create', via: 'cli', actor: 'operator', before: null }])
  })

  it('exits with 1 and the usage for missing arguments, and with 2 and the reason for a refusal', async () => {
    const [missing, twice, group] = [
      ['only@example.com'],
      ['boss@example.com', 'a good password'],
      ['c@example.com', 'a good password', '--groups', 'wizards'],
    ].map((args) => stage.adduser(dataDir, args))
    expect([await missing?.ended, missing?.stderr()]).toEqual([1, expect.stringContaining('npm run adduser -- <email>')])
    expect([await twice?.ended, twice?.stderr()]).toEqual([2, expect.stringContaining('already exists')])
    expect([await group?.ended, group?.stderr()]).toEqual([2, expect.stringContaining('wizards')])
    for (const task of [missing, twice, group])
      expect([task?.stdout(), task?.stderr()]).toEqual(['', expect.not.stringMatching(/ {4}at |a good password/)])
    expect((await readUsers()).map(({ email }) => email)).toEqual(
      expect.not.arrayContaining(['only@example.com', 'c@example.com']),
    )
  })

  it('warns of an invalid passwordHash, as /readyz does; its account refuses passwords', async () => {
    const path = join(dataDir, 'config', 'users.yaml')
    const id = '3f2c1a4e-5b6d-4c7e-8f90-a1b2c3d4e5f6'
    const account = `  - email: eve@example.com\n    playerId: ${id}\n    displayName: Eve\n    passwordHash: plaintext\n    groups: [player]\n    createdAt: 2026-01-01T00:00:00Z\n`
    const text = await readFile(path, 'utf8')
    await writeFile(path, text + account)
    const warning = `users.yaml line ${text.split('\n').length + 3}: this passwordHash can never match: it is not a bcrypt hash`
    expect(await login('eve@example.com', 'plaintext')).toMatchObject({ status: 200, body: { verified: false, playerId: id } })
    expect((await ask(server.url, 'GET /readyz')).body.warnings).toEqual([expect.stringContaining(warning)])
    await server.shows(warning)
    const task = stage.adduser(dataDir, ['zoe@example.com', 'a good password', 'Zoe'])
    expect(await task.ended).toBe(0)
    expect(task.stdout()).toContain(warning)
  })
})
