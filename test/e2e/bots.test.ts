import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createCall } from '../../sdk/admin/call.ts'
import { signIn as signInWithSdk } from '../../sdk/sign-in/sign-in.ts'
import { type InstalledSdk, installSdk } from '../sdk/support/installed-sdk.ts'
import { commandNeed } from '../support/needs/command.ts'
import { itWhere } from '../support/needs/guard.ts'
import { waitFor } from '../support/time/wait-for.ts'
import { ask } from './support/api.ts'
import { startChild } from './support/child.ts'
import { administrator, createStage, type Server } from './support/stage.ts'

const stage = createStage()
let sdk: InstalledSdk
let server: Server
/** A sign-in of the administrator. */
let boss: string

beforeAll(async () => {
  sdk = await installSdk()
  sdk.addWs()
  sdk.addExamples()
  server = await stage.start({ DATA_DIR: await stage.createDataDir() })
  boss = await stage.claim(server)
}, 180_000)
afterAll(async () => {
  await stage.close()
  sdk.remove()
})

/** An account with an API token, made as docs/bots.md says. */
const createBot = async (name: string, groups: readonly string[], permissions: readonly string[]): Promise<string> => {
  const [email, password] = [`${name}@example.com`, `the password of ${name}`]
  const account = { email, password, displayName: name, groups }
  expect(await ask(server.url, 'POST /api/admin/users', { token: boss, body: account })).toMatchObject({ status: 201 })
  const signedIn = await stage.signIn(server.url, email, password)
  const answer = await ask(server.url, 'POST /auth/tokens', { token: signedIn, body: { name, permissions } })
  expect(answer).toMatchObject({ status: 201, body: { permissions } })
  return String(answer.body.token)
}
const startBot = (name: string, token: string, args: readonly string[] = [], variables: Record<string, string> = {}) =>
  stage.adopt(
    startChild(process.execPath, [join(sdk.folder, name), server.url, ...args], { GATEHOUSE_TOKEN: token, ...variables }),
  )
const enter = async (email: string, password = '') => stage.enter(server.url, await stage.signIn(server.url, email, password))

describe('the bots of docs/bots.md', () => {
  it('greet each player who joins', async () => {
    const greeter = startBot('greeter.js', await createBot('Greeter', ['player'], ['command.who']))
    await greeter.shows('greets as Greeter')
    const { session } = await enter('ann@example.com')
    // A greeting may arrive together with the Welcome, so another player listens for it.
    const lines: object[] = []
    session.on('chat', (line) => lines.push(line))
    const { session: late } = await enter('bob@example.com')
    await waitFor(() => lines.some((line) => 'text' in line && line.text === 'Welcome, bob!'))
    expect(lines).toContainEqual(expect.objectContaining({ from: 'Greeter', text: 'Welcome, bob!' }))
    expect(greeter.stderr()).toBe('')
    await greeter.kill()
    await Promise.all([session.close(), late.close()])
  }, 180_000)

  it('play capture the flag in a zone', async () => {
    const me = await signInWithSdk({ url: server.url, ...administrator })
    const call = createCall(me)
    const arena = { name: 'Arena', yMin: 0, yMax: 100, chunks: [{ cx: 0, cz: 0 }] }
    const { body: zone } = await call('POST /api/admin/instances', { body: arena })
    const token = await createBot('Referee', ['admin'], ['admin.instances.*', 'admin.announcements.write'])
    const { session } = await enter(administrator.email, administrator.password)
    await session.command('/tp 8 64 8')
    const referee = startBot('capture-the-flag.js', token, [zone.id, '2'])
    const where = /The flag is at (\d+) (\d+) (\d+)\./g
    const capture = async (round: number) => {
      await waitFor(() => [...referee.stdout().matchAll(where)].length >= round)
      const [, x, y, z] = [...referee.stdout().matchAll(where)].at(-1)?.map(Number) ?? []
      await session.command(`/tp ${x} ${Number(y) + 1} ${z}`)
      expect(await session.edit([{ x: x ?? 0, y: y ?? 0, z: z ?? 0, type: 'air' }])).toMatchObject({ ok: true })
    }
    await capture(1)
    await capture(2)
    expect(await referee.ended).toBe(0)
    expect(referee.stderr()).toBe('')
    expect(referee.stdout()).toMatch(/captured the flag and has 1 of 2 points\.\n[\s\S]* wins with 2 points\.\n$/)
    await call('DELETE /api/admin/instances/{id}', { params: { id: zone.id } })
    await session.close()
    me.close()
  }, 180_000)

  it('bridge chat to a webhook of Discord, and wait when it says so', async () => {
    const contents: string[] = []
    let refusals = 1
    const webhook = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += String(chunk)
      })
      request.on('end', () => {
        if (refusals > 0) {
          refusals -= 1
          response.writeHead(429, { 'Retry-After': '0.1' }).end()
          return
        }
        contents.push(String(JSON.parse(text).content))
        response.writeHead(204).end()
      })
    })
    webhook.listen(0, '127.0.0.1')
    await once(webhook, 'listening')
    const address = webhook.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const token = await createBot('Bridge', ['moderator'], ['admin.worlds.read'])
    const bridge = startBot('discord-bridge.js', token, [], { DISCORD_WEBHOOK: `http://127.0.0.1:${port}` })
    await bridge.shows('bridges default')
    const { session } = await enter('bea@example.com')
    await session.chat('hello @everyone')
    const lines = () => contents.flatMap((content) => content.split('\n'))
    await waitFor(() => lines().length >= 2)
    await bridge.kill()
    await session.close()
    webhook.close()
    expect(lines().toSorted()).toEqual(['<bea> hello @everyone', 'bea joined.'])
    expect([refusals, bridge.stderr()]).toEqual([0, ''])
  }, 180_000)

  itWhere({ ...commandNeed('python3'), isOptional: true })(
    'walk, build and chat in Python, without a library',
    async () => {
      const token = await createBot('Snake', ['player'], ['world.build'])
      const { session } = await enter('cat@example.com')
      const lines = session.events('chat')
      const args = ['sdk/examples/python/bot.py', server.url, 'realtime/protocol/gatehouse.proto', '2']
      const bot = stage.adopt(startChild('python3', args, { GATEHOUSE_TOKEN: token, PYTHONDONTWRITEBYTECODE: '1' }))
      expect((await lines.next()).value).toMatchObject({ from: 'Snake', text: 'hello from Python' })
      await session.chat('hello Snake')
      expect([await bot.ended, bot.stderr()]).toEqual([0, ''])
      expect(bot.stdout().split('\n')).toEqual([
        'Snake plays in default',
        'walked 3.0 blocks',
        'built',
        '<Snake> hello from Python',
        '<cat> hello Snake',
        '',
      ])
      await session.close()
    },
    180_000,
  )
})
