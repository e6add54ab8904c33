import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { createBrowser } from '../../support/auth/oauth-browser.ts'
import * as oauth from '../../support/auth/oauth-sign-in.ts'
import { type OidcIssuer, openOidcIssuer } from '../../support/auth/oidc-issuer.ts'
import { bothDoors } from '../doors.ts'

const { begin, finish, oauthServer, passIssuer, readFragment, redirectUri, returnUrl, setCookiesOf, signInAt } = oauth

let issuer: OidcIssuer
beforeAll(async () => {
  issuer = await openOidcIssuer([redirectUri])
})
afterAll(() => issuer.close())

const routes = authRoutes
const zoe = { sub: 'zoe-1', email: 'Zoe@Example.com', email_verified: true, name: 'Zoë & Co' }
const startPath = `/auth/oauth/start?returnUrl=${encodeURIComponent(returnUrl)}`
const type = (slug: string) => `/problems/${slug}`

describe.each(bothDoors)('a sign-in through an identity provider, through %s', (_name, openDoor) => {
  const open = (section: object = {}, server: object = {}) =>
    openDoor({ routes, configs: { server: { ...oauthServer(issuer.origin, section), ...server } }, startMs: Date.now() })

  it('redirects a new account to the return address with a verified token in the fragment', async () => {
    issuer.signsInAs(zoe)
    const { get, tokens, accountStore } = await open()
    const answer = await signInAt(get)
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toMatch(
      new RegExp(`^${returnUrl}#token=[^&]+&displayName=Zo%C3%AB%20%26%20Co&playerId=[^&]+$`),
    )
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
    const { token = '', playerId = '', displayName } = readFragment(answer)
    expect(displayName).toBe('Zoë & Co')
    expect(await tokens.find(token)).toMatchObject({ playerId, verified: true })
    expect(await accountStore.findByPlayerId(playerId)).toMatchObject({
      email: 'zoe@example.com',
      subject: `${issuer.origin}|zoe-1`,
      groups: ['player'],
    })
    expect(await get('/auth/me', { authorization: `Bearer ${token}` })).toMatchObject({ status: 200, body: { playerId } })
  })

  it('starts with state, nonce and PKCE, and one HttpOnly cookie', async () => {
    const { get } = await open()
    const answer = await get(startPath)
    expect(answer).toMatchObject({ status: 302, text: '' })
    expect(answer.headers['cache-control']).toBe('no-store')
    const url = new URL(answer.headers.location ?? '')
    expect(url.origin).toBe(issuer.origin)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'gatehouse',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(setCookiesOf(answer)).toEqual([
      expect.stringMatching(/^gatehouse-oauth-[0-9a-f]{16}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ])
    expect(setCookiesOf(answer)[0]).not.toContain(url.searchParams.get('state'))
  })

  it('sets a cookie for this host and HTTPS only when the server is behind HTTPS', async () => {
    const { get } = await openDoor({
      routes,
      configs: { server: oauthServer(issuer.origin) },
      deps: { baseUrl: 'https://game.example.org' },
    })
    expect(setCookiesOf(await get(startPath))).toEqual([
      expect.stringMatching(
        /^__Host-gatehouse-oauth-[0-9a-f]{16}=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ])
  })

  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['*/*', 'application/problem+json'],
    ['application/json', 'application/problem+json'],
  ])('answers %s with the problem as %s', async (accept, contentType) => {
    const { request } = await open()
    const answer = await request('GET', '/auth/callback?state=%3Cb%3E&error=access_denied', { headers: { accept } })
    expect(answer.status).toBe(400)
    expect(answer.headers).toMatchObject({ 'content-type': contentType, vary: expect.stringContaining('Accept') })
    if (contentType === 'application/problem+json') return
    const page = String(answer.body)
    expect(page).toContain('<h1>Unknown sign-in</h1>')
    expect(page).toContain('<a href="../play">Play</a>')
    expect(page).not.toContain('<b>')
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  })

  it('completes in each of several concurrent tabs, in any order', async () => {
    issuer.signsInAs(zoe)
    const { get } = await open()
    const browser = createBrowser()
    const addresses = await Promise.all([1, 2, 3].map(() => begin(get, browser)))
    const paths: string[] = []
    for (const address of addresses.reverse()) paths.push(await passIssuer(browser, address))
    for (const path of paths) expect((await finish(get, browser, path)).status).toBe(302)
    expect(browser.cookiesFor(redirectUri)).toBe('')
  })

  it('keeps at most 10 cookies in a browser that starts repeatedly', async () => {
    const { get } = await open()
    const browser = createBrowser()
    for (let at = 0; at < 15; at += 1) await begin(get, browser)
    expect(browser.cookiesFor(redirectUri).split('; ')).toHaveLength(10)
  })

  it('recognizes only its own cookie names, and repeats no other', async () => {
    const { get } = await open()
    const foreign = Array.from({ length: 12 }, (_, at) => `gatehouse-oauth-of-${at}=x`).join('; ')
    const answer = await get(startPath, { cookie: foreign })
    expect(answer.status).toBe(302)
    expect(setCookiesOf(answer)).toEqual([expect.stringMatching(/^gatehouse-oauth-[0-9a-f]{16}=[\w-]{43};/)])
  })

  it('answers each kind of failure with its own problem, and creates no account', async () => {
    issuer.signsInAs({ ...zoe, sub: 'wrong-ends', email: 'wrong-ends@example.com' })
    const { get, accountStore, clock } = await open()
    const browser = createBrowser()
    const expectProblem = async (path: string, slug: string, cookie = browser.cookiesFor(redirectUri)) => {
      const answer = await get(path, { cookie })
      expect(answer).toMatchObject({ status: 400, body: { type: type(slug), instance: '/auth/callback' } })
      expect(answer.headers.location).toBeUndefined()
      expect(answer.headers['cache-control']).toBe('no-store')
    }
    const path = await passIssuer(browser, await begin(get, browser))
    await expectProblem('/auth/callback', 'unknown-state')
    await expectProblem('/auth/callback?code=x', 'unknown-state')
    await expectProblem(`/auth/callback?code=x&state=${'x'.repeat(43)}`, 'unknown-state')
    await expectProblem(`/auth/callback?${path.split('&').find((part) => part.includes('state=')) ?? path}`, 'bad-request')
    await expectProblem(`${path}&state=again`, 'bad-request')
    await expectProblem(path, 'wrong-browser', '')
    await expectProblem(path, 'wrong-browser', browser.cookiesFor(redirectUri).replace(/=.*/, `=${'x'.repeat(43)}`))
    expect(await accountStore.findByEmail('wrong-ends@example.com')).toBeUndefined()
    const cookies = browser.cookiesFor(redirectUri)
    expect((await finish(get, browser, path)).status).toBe(302)
    await expectProblem(path, 'state-used', cookies)
    const late = await passIssuer(browser, await begin(get, browser))
    clock.advance(600_000)
    await expectProblem(late, 'state-expired')
  })

  it.each([
    ['nothing', '/auth/oauth/start'],
    ['another origin', '/auth/oauth/start?returnUrl=https://evil.example/'],
    ['a path with the same beginning', `${startPath}er`],
    ['a user name', '/auth/oauth/start?returnUrl=https://game.example.org%40evil.example/play'],
    ['a script', '/auth/oauth/start?returnUrl=javascript:alert(1)'],
  ])('answers 400 to %s for a return address, and starts nothing', async (_what, path) => {
    const { get } = await open()
    const answer = await get(path)
    expect(answer).toMatchObject({ status: 400, body: { type: type('return-url-not-allowed') } })
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect(answer.headers).not.toHaveProperty('location')
  })

  it('answers 401 when the user declines at the identity provider, and logs it as usual', async () => {
    issuer.signsInAs({ sub: 'declining', declines: true })
    const { get, lines } = await open()
    const answer = await signInAt(get)
    expect(answer).toMatchObject({ status: 401, body: { type: type('consent-refused') } })
    expect(answer.headers['www-authenticate']).toBe('Bearer')
    const requestId = answer.headers['x-request-id']
    expect(lines.filter((line) => line.requestId === requestId && Number(line.level) >= 30)).toMatchObject([
      { msg: 'a sign-in through the identity provider was declined', err: { message: expect.stringContaining('access_denied') } },
    ])
  })

  it('answers 401 to a forged code, and logs the reason', async () => {
    issuer.signsInAs(zoe)
    const { get, lines } = await open()
    const browser = createBrowser()
    const path = await passIssuer(browser, await begin(get, browser))
    const answer = await finish(get, browser, path.replace(/code=[^&]+/, 'code=made-up'))
    expect(answer).toMatchObject({ status: 401, body: { type: type('exchange-refused') } })
    expect(answer.text).not.toContain('invalid_grant')
    expect(JSON.stringify(lines)).toContain('invalid_grant')
    expect(JSON.stringify(lines)).not.toContain('made-up')
  })

  it('answers 403 to an unverified email with an account, and logs the reason', async () => {
    issuer.signsInAs({ sub: 'mallory', email: 'admin@example.com', email_verified: false, name: 'Mallory' })
    const { get, people, accountStore, lines } = await open()
    const answer = await signInAt(get)
    expect(answer).toMatchObject({ status: 403, body: { type: type('account-not-allowed') } })
    expect(answer.text).not.toMatch(/admin@example|exist|verified/)
    const requestId = answer.headers['x-request-id']
    expect(lines.filter((line) => line.requestId === requestId && Number(line.level) >= 30)).toMatchObject([
      {
        msg: 'refused an account of the identity provider',
        err: { message: expect.stringMatching(/not verified/) },
      },
    ])
    expect(await accountStore.findByEmail('admin@example.com')).toEqual(people.admin)
  })

  it('gives the holder of a verified email the privileges of the account', async () => {
    issuer.signsInAs({ sub: 'boss', email: 'admin@example.com', email_verified: true })
    const { get, people, tokens } = await open()
    const { token = '', playerId } = readFragment(await signInAt(get))
    expect(playerId).toBe(people.admin.playerId)
    expect(await tokens.find(token)).toMatchObject({ verified: true })
  })

  it('answers 503 with Retry-After when the identity provider is unavailable', async () => {
    const { get, configs } = await open()
    configs.set({ server: oauthServer('http://127.0.0.1:1') })
    const answer = await get(startPath)
    expect(answer).toMatchObject({ status: 503, body: { type: type('identity-provider-unavailable') } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('answers 429 above the limit of an address, counted separately for start and callback', async () => {
    const { get } = await open({}, { http: { rateLimits: { signInPerMinutePerAddress: 2 } } })
    for (const path of [startPath, '/auth/callback?code=a&state=b'])
      expect([(await get(path)).status, (await get(path)).status, (await get(path)).status].at(-1)).toBe(429)
  })

  it('writes neither code, state, cookie nor token into the log', async () => {
    issuer.signsInAs(zoe)
    const { get, lines } = await open()
    const browser = createBrowser()
    const path = await passIssuer(browser, await begin(get, browser))
    const cookie = browser.cookiesFor(redirectUri)
    const { token = '' } = readFragment(await finish(get, browser, path))
    await get(path, { cookie })
    const logged = JSON.stringify(lines)
    expect(lines.length).toBeGreaterThan(0)
    for (const secret of [...new URLSearchParams(path.split('?')[1]).values(), cookie.split('=')[1] ?? '', token])
      if (secret !== issuer.origin) expect(logged).not.toContain(secret)
  })
})
