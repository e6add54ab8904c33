import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { issuerClient } from '../../support/auth/issuer-client.ts'
import { createBrowser } from '../../support/auth/oauth-browser.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { type Child, startChild } from '../support/child.ts'
import { administrator, createStage, quickConfig, type Server } from '../support/stage.ts'

const stage = createStage()
const returnUrl = 'https://game.example.org/play'

describeOwnRedis('OAuth with two HTTP processes, a real-time process and an issuer of its own', () => {
  let redis: RedisServer
  let issuer: Child
  let redirectUri: string
  let oauthConfig: string
  let dataDir: string
  let [one, two]: Server[] = []
  const variables = { [issuerClient.secretEnv]: issuerClient.secret }

  beforeAll(async () => {
    redis = await startRedis()
    redirectUri = `http://127.0.0.1:${await findFreePort()}/auth/callback`
    issuer = stage.adopt(
      startChild(process.execPath, ['--import', 'tsx', 'test/support/auth/oidc-issuer-script.ts', redirectUri]),
    )
    await issuer.shows(/^http:\S+\n/)
    oauthConfig = `${quickConfig}auth:
  provider: oauth
  oauth:
    issuer: ${issuer.stdout().trim()}
    clientId: ${issuerClient.id}
    clientSecretEnv: ${issuerClient.secretEnv}
    redirectUri: ${redirectUri}
    scopes: openid email profile groups
    allowedReturnUrls: [${returnUrl}]
    groupsClaim: { claim: groups, mapping: { /staff: admin } }
`.replace(/^auth: \{.*\n/, '')
    dataDir = await stage.createDataDir()
    const pair = await stage.startPair(dataDir, redis.url, variables)
    one = pair.http
    const common = { DATA_DIR: dataDir, REDIS_URL: redis.url, REALTIME_URL: pair.realtime.url, PORT: '0', ...variables }
    two = await stage.ready(stage.launch('infra/http.ts', [], common))
  }, 180_000)
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  const signsIn = async (person: { readonly sub: string } & Readonly<Record<string, unknown>>) => {
    const before = issuer.stdout().length
    issuer.write(`${JSON.stringify(person)}\n`)
    await waitFor(() => issuer.stdout().slice(before).includes(`now ${person.sub}`))
  }
  const get = (server: Server | undefined, path: string, cookie: string) =>
    fetch(`${server?.url}${path}`, { redirect: 'manual', headers: { cookie } })
  /** Starts at one process; returns the answer of the issuer as a path, with the browser's cookies. */
  const begin = async (server: Server | undefined) => {
    const browser = createBrowser()
    const start = await get(server, `/auth/oauth/start?returnUrl=${encodeURIComponent(returnUrl)}`, '')
    expect(start.status).toBe(302)
    browser.keep(redirectUri, start.headers.getSetCookie())
    const { pathname, search } = new URL(
      await browser.follow(start.headers.get('location') ?? '', (url) => url.startsWith(redirectUri)),
    )
    return { path: pathname + search, cookie: browser.cookiesFor(redirectUri) }
  }
  const tokenOf = (response: Response): string =>
    new URLSearchParams(new URL(response.headers.get('location') ?? '').hash.slice(1)).get('token') ?? ''
  const signIn = async (): Promise<string> => {
    const { path, cookie } = await begin(one)
    return tokenOf(await get(two, path, cookie))
  }
  const listUsers = (token: string) => ask(two?.url ?? '', 'GET /api/admin/users', { token })

  it('is switched on by a config save and a reload, in every process, without a restart', async () => {
    if (!one || !two) throw new Error('not started')
    const boss = await stage.claim(one)
    const saved = await ask(one.url, 'PUT /api/admin/configs/server.yaml', { token: boss, yaml: oauthConfig })
    expect({ status: saved.status, text: saved.text }).toMatchObject({ status: 200 })
    expect((await ask(one.url, 'POST /api/admin/reload', { token: boss })).status).toBe(200)
    for (const { url } of [one, two])
      await waitFor(async () => (await ask(url, 'GET /api/auth/config')).body.provider === 'oauth')
    expect((await ask(two.url, 'POST /auth/login', { body: administrator })).status).toBe(404)
    // Tokens stay valid.
    expect((await listUsers(boss)).status).toBe(200)
  })

  it('starts at one process and completes at another, once, and opens the game', async () => {
    await signsIn({ sub: 'zoe', email: 'zoe@example.com', email_verified: true, name: 'Zoë' })
    const { path, cookie } = await begin(one)
    expect((await get(two, path, '')).status).toBe(400)
    const answers = await Promise.all([one, two, one, two].map((server) => get(server, path, cookie)))
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400])
    const won = answers.find(({ status }) => status === 302)
    const { session } = await stage.enter(one?.url ?? '', tokenOf(won ?? Response.error()))
    expect(session.state().name).toBe('live')
  })

  it('refuses banned users after the issuer has named them, with the reason', async () => {
    const mallory = { sub: 'mallory', email: 'mallory@example.com', email_verified: true }
    await signsIn(mallory)
    const theirs = await signIn()
    const { path, cookie } = await begin(one)
    await signsIn({ sub: 'zoe', email: 'zoe@example.com', email_verified: true, groups: ['/staff'] })
    const boss = await signIn()
    const ban = { kind: 'ban', email: 'mallory@example.com', reason: 'burned the town' }
    const imposed = await ask(one?.url ?? '', 'POST /api/admin/sanctions', { token: boss, body: ban })
    expect(imposed.status).toBe(201)
    // The other process receives it within a second, on a busy machine after the end of the token.
    const explanation = 'GET /api/admin/explain?email=mallory@example.com&permission=world.build'
    await waitFor(async () => (await ask(two?.url ?? '', explanation, { token: boss })).text.includes('burned the town'))
    expect((await ask(two?.url ?? '', 'GET /auth/me', { token: theirs })).status).not.toBe(200)
    const onTheWay = await get(two, path, cookie)
    expect([onTheWay.status, onTheWay.headers.get('location')]).toEqual([403, null])
    expect(await onTheWay.json()).toMatchObject({ type: '/problems/account-banned', reason: 'burned the town' })
    await signsIn(mallory)
    const anew = await begin(two)
    expect((await get(one, anew.path, anew.cookie)).status).toBe(403)
    const ended = await ask(one?.url ?? '', `DELETE /api/admin/sanctions/${imposed.body.id}`, { token: boss })
    expect(ended.status).toBe(200)
    const again = await begin(one)
    expect(tokenOf(await get(one, again.path, again.cookie))).not.toBe('')
  })

  it('adds and removes groups as the issuer has them at each sign-in, at once', async () => {
    const zoe = { sub: 'zoe', email: 'zoe@example.com', email_verified: true }
    await signsIn({ ...zoe, groups: ['/staff'] })
    const token = await signIn()
    expect((await listUsers(token)).status).toBe(200)
    await signsIn({ ...zoe, groups: [] })
    await signIn()
    expect((await listUsers(token)).status).toBe(403)
  })

  it('creates one account for many first sign-ins at once, in several processes', async () => {
    await signsIn({ sub: 'many', email: 'many@example.com', email_verified: true })
    const begun = await Promise.all(Array.from({ length: 12 }, () => begin(one)))
    const ended = await Promise.all(begun.map(({ path, cookie }, at) => get(at % 2 ? one : two, path, cookie)))
    const players = ended.map((one) => new URL(one.headers.get('location') ?? '').hash.replace(/.*playerId=/, ''))
    expect(new Set(players).size).toBe(1)
  })

  it('does not start without the client secret, and names the variable', async () => {
    const child = stage.launch('infra/http.ts', [], { DATA_DIR: dataDir, REDIS_URL: redis.url, PORT: '0' })
    expect(await child.ended).not.toBe(0)
    expect(child.stderr() + child.stdout()).toContain(issuerClient.secretEnv)
  })

  it('leaves no secret in the output of any process', () => {
    expect(stage.output()).not.toContain(issuerClient.secret)
    expect(stage.output()).not.toMatch(/eyJ[\w-]{20}/)
  })
})
