import { appendFile, cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import type { PlayerLink } from '../support/player-link.ts'
import { administrator, createStage, quickConfig, type Server } from '../support/stage.ts'

const stage = createStage()
const bundledBlocks = fileURLToPath(new URL('../../../resources/config/blocks.yaml', import.meta.url))

describeOwnRedis('a reload, for players of a node that is another process', () => {
  let redis: RedisServer
  let http: Server
  let boss: string
  let chief: PlayerLink
  let ann: PlayerLink
  let pathOf: (name: string) => string

  beforeAll(async () => {
    redis = await startRedis()
    const dataDir = await stage.createDataDir()
    pathOf = (name) => join(dataDir, 'config', name)
    await cp(bundledBlocks, pathOf('blocks.yaml'))
    http = (await stage.startPair(dataDir, redis.url)).http
    boss = await stage.claim(http)
    chief = await stage.join(http.url, await stage.signIn(http.url, administrator.email, administrator.password))
    ann = await stage.join(http.url, await stage.signIn(http.url, 'ann@example.com'))
  })
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  const reload = async () => {
    const { status, body } = await ask(http.url, 'POST /api/admin/reload', { token: boss })
    expect({ status, failed: body.failed }).toEqual({ status: 200, failed: [] })
  }
  const edit = async (seq: number, type: string) => {
    ann.send({ $case: 'editBlocks', value: { seq, edits: [{ x: 2, y: 65, z: 2, type }] } })
    return ann.next('editResult')
  }

  it('sends new blocks, which may be placed at once and are in later Welcomes', async () => {
    await waitFor(() => ann.count('chunk') > 20)
    expect(await edit(1, 'marzipan')).toMatchObject({ reason: 'unknown-block' })
    await appendFile(pathOf('blocks.yaml'), '  - { id: marzipan, name: Marzipan, colour: "#f0e0b0" }\n')
    await reload()
    await waitFor(() => ann.count('blocksRegistry') === 1 && chief.count('blocksRegistry') === 1)
    const marzipan = expect.objectContaining({ id: 'marzipan', colour: 0xf0e0b0, solid: true })
    expect((await ann.next('blocksRegistry')).blocks).toContainEqual(marzipan)
    expect(await edit(2, 'marzipan')).toMatchObject({ ok: true })
    const bob = await stage.join(http.url, await stage.signIn(http.url, 'bob@example.com'))
    expect(bob.welcome.blocks).toContainEqual(marzipan)
  })

  it('applies limits to open connections', async () => {
    const client = await stage.join(http.url, await stage.signIn(http.url, 'cid@example.com'))
    await writeFile(pathOf('server.yaml'), `${quickConfig}realtime: { maxMessageBytes: 8192 }\n`)
    await reload()
    await waitFor(() => {
      if (client.isOpen()) client.send({ $case: 'chat', value: { text: 'x'.repeat(9000) } })
      return !client.isOpen()
    })
    expect(await client.closed()).toMatchObject({ code: 1009 })
  })

  it('removes permissions: blocks may not be placed, and a privileged command is refused', async () => {
    const groups = await readFile(pathOf('groups.yaml'), 'utf8')
    await ask(http.url, 'PUT /api/admin/users/ann@example.com', {
      token: boss,
      body: { groups: ['moderator'], password: 'a password of ann' },
    })
    const mod = await stage.join(http.url, await stage.signIn(http.url, 'ann@example.com', 'a password of ann'))
    mod.command('/why ann@example.com world.build', 1)
    expect(await mod.next('commandResult')).toMatchObject({ ok: true })
    await waitFor(() => mod.count('chunk') > 20)
    await writeFile(
      pathOf('groups.yaml'),
      groups.replace('- command.why', '- admin.users.read').replace('- world.build', '- command.tp'),
    )
    await reload()
    await waitFor(() => mod.count('permissionsChanged') === 1)
    mod.command('/why ann@example.com world.build', 2)
    expect((await mod.next('commandResult')).text).toContain('command.why')
    mod.send({ $case: 'editBlocks', value: { seq: 3, edits: [{ x: 2, y: 65, z: 2, type: 'air' }] } })
    const refused = await mod.next('editResult')
    expect(refused.reason).toContain('missing-permission: world.build')
    const asked = new URL(refused.explain ?? '', http.url)
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      email: 'ann@example.com',
      permission: 'world.build',
      world: 'default',
      x: '2',
      y: '65',
      z: '2',
    })
    expect((await ask(http.url, `GET ${asked.pathname}${asked.search}`, { token: boss })).body).toMatchObject({
      allowed: false,
      permission: 'world.build',
    })
    await writeFile(pathOf('groups.yaml'), groups)
  })

  it('in the game makes the HTTP process require passwords, and apply other limits', async () => {
    const config = `auth: { local: { requirePassword: true, bcryptCost: 10 } }
http: { allowedOrigins: ["https://admin.example.org"], rateLimits: { signInPerMinutePerAccount: 1, signInPerMinutePerAddress: 10000, requestsPerMinutePerAddress: 10000 } }
`
    await writeFile(pathOf('server.yaml'), config)
    chief.command('/config:reload server')
    expect((await chief.next('commandResult')).ok).toBe(true)
    await waitFor(async () => (await ask(http.url, 'GET /api/auth/config')).body.requirePassword === true)
    const body = { email: 'dan@example.com', password: '' }
    const statuses = []
    for (const _ of [1, 2]) statuses.push((await ask(http.url, 'POST /auth/login', { body })).status)
    expect(statuses).toEqual([401, 429])
    const { headers } = await ask(http.url, 'GET /api/auth/config', { headers: { Origin: 'https://admin.example.org' } })
    expect(headers.get('access-control-allow-origin')).toBe('https://admin.example.org')
  })
})
