import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { openRealtimeClient } from '../../support/realtime/realtime-client.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { administrator, createStage } from '../support/stage.ts'

const stage = createStage()
afterAll(() => stage.close())

const passwords = {
  typed: 'a password that was typed',
  wrong: 'a password that is wrong',
  added: 'a password of adduser',
  piped: 'a password through the pipe',
  said: 'a password in a command',
  put: 'a password by request',
}

describeOwnRedis('a day of sign-ins, faults and commands at LOG_LEVEL=trace', () => {
  let redis: RedisServer
  afterAll(() => redis?.stop())

  it('leaves no password, token, resume secret, claim or hash in the output of any process', async () => {
    redis = await startRedis()
    const dataDir = await stage.createDataDir()
    const { http, realtime } = await stage.startPair(dataDir, redis.url, { LOG_LEVEL: 'trace' })
    const secrets: unknown[] = [...Object.values(passwords), administrator.password]
    const boss = await stage.claim(http)
    secrets.push(boss)
    // The claim is public only in the two lines that offer it.
    const claim = /\/claim#(\S+)/.exec(http.stdout())?.[1] ?? ''

    const verified = await stage.signIn(http.url, administrator.email, administrator.password)
    const renewed = await ask(http.url, 'POST /auth/renew', { token: verified })
    secrets.push(verified, renewed.body.token)
    await ask(http.url, 'POST /auth/login', { body: { email: administrator.email, password: passwords.wrong } })
    await ask(http.url, `GET /auth/me?token=${verified}&password=${encodeURIComponent(passwords.typed)}`, { token: verified })
    await ask(http.url, 'POST /auth/login', { body: { email: 'a@example.com', password: passwords.typed, token: verified } })
    await ask(http.url, 'POST /auth/claim', { body: { claim, ...administrator } })
    await ask(http.url, 'GET /auth/me', { token: `${verified}x` })
    await ask(http.url, 'POST /api/admin/users', { token: boss, body: { email: 'put@example.com', password: passwords.put } })
    await fetch(`${http.url}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"password":"${passwords.typed}", broken`,
    }).then((answer) => answer.text())

    const piped = stage.adduser(dataDir, ['piped@example.com', '-'], { REDIS_URL: redis.url, LOG_LEVEL: 'trace' })
    piped.endInput(`${passwords.piped}\n`)
    const added = [
      stage.adduser(dataDir, ['added@example.com', passwords.added], { REDIS_URL: redis.url, LOG_LEVEL: 'trace' }),
      stage.adduser(dataDir, [administrator.email, passwords.added], { LOG_LEVEL: 'trace' }),
      stage.adduser(dataDir, ['x@example.com', passwords.added, '--nonsense'], { LOG_LEVEL: 'trace' }),
    ]
    expect(await Promise.all([piped, ...added].map((task) => task.ended))).toEqual([0, 0, 2, 1])

    const client = await stage.join(http.url, verified)
    secrets.push(client.welcome.resumeToken)
    client.command(`/adduser said@example.com "${passwords.said}"`, 1)
    expect(await client.next('commandResult')).toMatchObject({ ok: true })
    client.command(`/adduser said@example.com "${passwords.said}" a b c d e`, 2)
    await client.next('commandResult')
    client.terminate()
    // The library never sends this: half of a message, as text.
    const broken = await openRealtimeClient(`${http.url.replace('http', 'ws')}/realtime`)
    broken.sendRaw(`{"connect":{"token":"${verified}"`)
    await waitFor(() => broken.received.length > 0 || !broken.isOpen())
    broken.terminate()
    const back = stage.connect(http.url, { resumeToken: client.welcome.resumeToken })
    secrets.push((await back.next('welcome')).resumeToken)
    const forged = stage.connect(http.url, { resumeToken: client.welcome.resumeToken })
    await forged.closed()

    const player = stage.play(http.url, administrator)
    await player.shows('Welcome')
    player.endInput(`/adduser again@example.com "${passwords.said}"\n/who\n`)
    expect(await player.ended).toBe(0)

    await redis.kill()
    await ask(http.url, 'GET /auth/me', { token: verified })
    await ask(http.url, 'POST /auth/login', { body: administrator })
    await redis.restart()
    await waitFor(async () => (await ask(http.url, 'GET /readyz')).status === 200)
    await ask(http.url, 'POST /auth/login', { body: administrator })
    for (const server of [http, realtime]) {
      server.signal('SIGTERM')
      expect(await server.ended).toBe(0)
    }

    const hashes = (await readFile(join(dataDir, 'config', 'users.yaml'), 'utf8')).match(/\$2b\$[./$A-Za-z0-9]{50,}/g) ?? []
    expect(hashes.length).toBeGreaterThanOrEqual(5)
    const output = stage.output()
    expect(output).toContain('"level":')
    const found = [...secrets, ...hashes].filter((secret) => {
      expect(String(secret).length).toBeGreaterThan(15)
      return output.includes(String(secret)) || output.includes(encodeURIComponent(String(secret)))
    })
    expect(found).toEqual([])
    expect(output.split(claim)).toHaveLength(3)
  }, 180_000)
})
