import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import type { PlayerLink } from '../support/player-link.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()
let server: Server
let usersFile: string
let ann: PlayerLink
let token: string
beforeAll(async () => {
  const dataDir = await stage.createDataDir()
  usersFile = join(dataDir, 'config', 'users.yaml')
  server = await stage.start({ DATA_DIR: dataDir })
  await stage.claim(server)
  token = await stage.signIn(server.url, 'ann@example.com')
  ann = await stage.join(server.url, token)
})
afterAll(() => stage.close())

const login = (email: string) => ask(server.url, 'POST /auth/login', { body: { email, password: '' } })

describe('users.yaml edited by hand while the server runs', () => {
  it('applies without a restart, in the live session too', async () => {
    const text = await readFile(usersFile, 'utf8')
    const edited = text.replace(/(ann@example\.com[\s\S]*?groups:\s*)(\[\s*player\s*\]|- player)/, (_found, head, list) =>
      list.startsWith('[') ? `${head}[player, moderator]` : `${head}${list}\n      - moderator`,
    )
    expect(edited).not.toBe(text)
    const changed = ann.next('permissionsChanged')
    await writeFile(usersFile, edited)
    expect((await changed).groups).toEqual(['player', 'moderator'])
    ann.command('/say hear me')
    expect((await ann.next('commandResult')).ok).toBe(true)
  })

  it('refuses sign-ins with the reason while it is broken, stays unchanged, and keeps players', async () => {
    const good = await readFile(usersFile, 'utf8')
    const broken = `${good}  - email: [unfinished\n`
    await writeFile(usersFile, broken)
    await waitFor(async () => (await login('ann@example.com')).status === 503)

    const refused = await login('new@example.com')
    expect(refused).toMatchObject({
      status: 503,
      body: { type: '/problems/accounts-unreadable', detail: expect.stringContaining('line') },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const ready = await ask(server.url, 'GET /readyz')
    expect(ready).toMatchObject({ status: 503, body: { detail: 'Not ready: accounts.' } })
    await server.shows(/"line":\d+|line \d+/)

    ann.send({ $case: 'ping', value: { nonce: 7 } })
    expect(await ann.next('pong')).toMatchObject({ nonce: 7 })
    ann.send({ $case: 'chat', value: { text: 'still here' } })
    expect(await ann.next('chatMessage')).toMatchObject({ text: 'still here' })
    expect(ann.isOpen()).toBe(true)
    expect(await readFile(usersFile, 'utf8')).toBe(broken)

    await writeFile(usersFile, good)
    await waitFor(async () => (await login('new@example.com')).status === 200)
    expect((await ask(server.url, 'GET /readyz')).status).toBe(200)
    expect((await ask(server.url, 'GET /auth/me', { token })).status).toBe(200)
    expect(ann.isOpen()).toBe(true)
  })

  it('ends the live session of an account that is removed from it', async () => {
    const text = await readFile(usersFile, 'utf8')
    const entries = text.split(/^(?= *- )/m)
    const at = entries.findIndex((entry) => entry.includes('ann@example.com'))
    expect(at).toBeGreaterThan(0)
    const end = entries.findIndex((entry, i) => i > at && entry.includes('email:'))
    entries.splice(at, (end < 0 ? entries.length : end) - at)
    await writeFile(usersFile, entries.join(''))
    expect(await ann.closed()).toMatchObject({ code: 4003 })
    await waitFor(async () => (await ask(server.url, 'GET /auth/me', { token })).status === 401)
  })
})
