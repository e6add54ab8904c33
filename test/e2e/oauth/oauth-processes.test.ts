import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type LoginIssuer, startLoginIssuer } from '../../support/auth/login-issuer.ts'
import { createBrowser } from '../../support/auth/oauth-browser.ts'
import { passLoginForm } from '../../support/auth/pass-login-form.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { type Answer, ask, signIn } from '../support/api.ts'
import { oauthConfig, oauthSecret } from '../support/oauth-config.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()
const returnUrl = 'http://127.0.0.1:4999/game'

describeOwnRedis('an identity provider and two HTTP processes on one Redis', () => {
  let redis: RedisServer
  let issuer: LoginIssuer
  let configFile: string
  let one: Server
  let other: Server

  beforeAll(async () => {
    const [port, nextPort] = [await findFreePort(), await findFreePort()]
    const redirectUri = `http://127.0.0.1:${port}/auth/callback`
    redis = await startRedis()
    issuer = await startLoginIssuer([redirectUri])
    const dataDir = await stage.createDataDir(oauthConfig(issuer.origin, redirectUri, 'local'))
    configFile = join(dataDir, 'config', 'server.yaml')
    const variables = { DATA_DIR: dataDir, REDIS_URL: redis.url, ...oauthSecret }
    one = await stage.start({ ...variables, PORT: String(port) }, 'infra/http.ts')
    other = await stage.start({ ...variables, PORT: String(nextPort) }, 'infra/http.ts')
  })
  afterAll(async () => {
    await stage.close()
    await issuer?.stop()
    await redis?.stop()
  })

  const providerAt = async ({ url }: Server) => (await ask(url, 'GET /api/auth/config')).body.provider
  /** Activates another provider by an edit and a reload at one process; waits until both use it. */
  const switchTo = async (provider: string, token: string): Promise<void> => {
    const text = await readFile(configFile, 'utf8')
    await writeFile(configFile, text.replace(/provider: \w+/, `provider: ${provider}`))
    expect(await ask(one.url, 'POST /api/admin/reload', { token })).toMatchObject({ status: 200, body: { failed: [] } })
    await waitFor(async () => (await providerAt(other)) === provider)
  }
  const begin = ({ url }: Server) => `${url}/auth/oauth/start?returnUrl=${encodeURIComponent(returnUrl)}`

  /** Starts a sign-in at one process; a balancer then routes its answer to the other. */
  const passIssuer = async (login: string) => {
    const browser = createBrowser()
    const isCallback = (at: string) => at.startsWith(`${one.url}/auth/callback`)
    const url = new URL(await passLoginForm({ browser, url: begin(one), login, isEnd: isCallback }))
    const headers = { cookie: browser.cookiesFor(one.url) }
    const finish = async (server: Server) => {
      const answer = await fetch(server.url + url.pathname + url.search, { redirect: 'manual', headers })
      const fields = Object.fromEntries(new URLSearchParams((answer.headers.get('location') ?? '').split('#')[1]))
      const problem: unknown = answer.status === 302 ? undefined : await answer.json()
      return { status: answer.status, problem, retryAfter: answer.headers.get('retry-after'), token: fields.token ?? '' }
    }
    return { finish }
  }
  const startAt = (server: Server): Promise<Answer> => ask(server.url, begin(server).replace(server.url, 'GET '))

  let chief: string
  it('a reload at one process activates the provider in both, and tokens stay valid', async () => {
    const token = await stage.claim(one)
    expect([await providerAt(one), await providerAt(other)]).toEqual(['local', 'local'])
    expect(await startAt(other)).toMatchObject({ status: 404, body: { type: '/problems/provider-mismatch' } })
    await switchTo('oauth', token)
    expect(await providerAt(one)).toBe('oauth')
    const login = await ask(other.url, 'POST /auth/login', { body: administrator })
    expect(login).toMatchObject({ status: 404, body: { type: '/problems/provider-mismatch' } })
    expect(await ask(other.url, 'GET /auth/me', { token })).toMatchObject({ status: 200 })
    // The administrator by password signs in with the same verified email at the provider.
    chief = (await (await passIssuer('boss')).finish(one)).token
    expect(await ask(one.url, 'GET /api/admin/users/boss@example.com', { token: chief })).toMatchObject({ status: 200 })
    // Linking the account ends its earlier sign-ins.
    expect(await ask(one.url, 'GET /auth/me', { token })).toMatchObject({ status: 401 })
  })

  it('a sign-in that started in one process completes in the other, once', async () => {
    const { finish } = await passIssuer('ann')
    const ended = await finish(other)
    expect(ended.status).toBe(302)
    for (const { url } of [one, other])
      expect(await ask(url, 'GET /auth/me', { token: ended.token })).toMatchObject({ status: 200, body: { displayName: 'Ann' } })
    expect(await finish(one)).toMatchObject({ status: 400, problem: { type: '/problems/state-used' } })
  })

  it('only one of two processes completes a sign-in when both get its answer at once', async () => {
    const { finish } = await passIssuer('bob')
    const statuses = (await Promise.all([finish(one), finish(other), finish(one), finish(other)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([302, 400, 400, 400])
  })

  it('a sign-in returns 503 with Retry-After while the provider is away, and recovers', async () => {
    const { finish } = await passIssuer('kim')
    await issuer.stop()
    expect(await finish(other)).toMatchObject({
      status: 503,
      problem: { type: '/problems/identity-provider-unavailable' },
      retryAfter: expect.stringMatching(/^\d+$/),
    })
    expect((await ask(one.url, 'GET /auth/me', { token: chief })).status).toBe(200)
    await issuer.restart('first')
    expect(await (await passIssuer('kim')).finish(other)).toMatchObject({ status: 302 })
  })

  it('rotated keys of the provider are accepted at once, in both processes', async () => {
    await issuer.restart('second')
    expect(await (await passIssuer('kim')).finish(one)).toMatchObject({ status: 302 })
    expect(await (await passIssuer('kim')).finish(other)).toMatchObject({ status: 302 })
  })

  it('a reload reactivates passwords, and refuses a sign-in that is pending at the provider', async () => {
    const { finish } = await passIssuer('ann')
    await switchTo('local', chief)
    expect(await finish(other)).toMatchObject({ status: 404, problem: { type: '/problems/provider-mismatch' } })
    const token = await signIn(other.url, administrator.email, administrator.password)
    expect(await ask(one.url, 'GET /api/admin/users', { token })).toMatchObject({ status: 200 })
    expect(stage.output()).not.toContain(oauthSecret.OAUTH_SECRET)
  })
})
