import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { createBrowser } from '../../support/auth/oauth-browser.ts'
import { begin, finish, oauthServer, passIssuer, readFragment, redirectUri, signInAt } from '../../support/auth/oauth-sign-in.ts'
import { type OidcIssuer, openOidcIssuer } from '../../support/auth/oidc-issuer.ts'
import { fixturePassword } from '../../support/http/http-fixture.ts'
import { doors } from '../doors.ts'

let issuer: OidcIssuer
beforeAll(async () => {
  issuer = await openOidcIssuer([redirectUri])
  issuer.signsInAs({ sub: 'player', email: 'player@example.com', email_verified: true })
})
afterAll(() => issuer.close())

const credentials = { email: 'player@example.com', password: fixturePassword }
const mismatch = { status: 404, body: { type: '/problems/provider-mismatch' } }

describe.each(doors)('a switch of the provider by a reload, through %s', (_name, openDoor) => {
  const open = () => openDoor({ routes: authRoutes, startMs: Date.now() })

  it('replaces one way of signing in with the other at once, in both directions', async () => {
    const { get, post, configs } = await open()
    configs.set({ server: oauthServer(issuer.origin) })
    expect((await get('/api/auth/config')).body).toEqual({ provider: 'oauth', requirePassword: false, registration: 'off' })
    expect(await post('/auth/login', credentials)).toMatchObject(mismatch)
    expect((await signInAt(get)).status).toBe(302)
    configs.set({ server: { auth: { local: { requirePassword: true } } } })
    expect((await get('/api/auth/config')).body).toEqual({ provider: 'local', requirePassword: true, registration: 'off' })
    expect(await get('/auth/oauth/start?returnUrl=x')).toMatchObject(mismatch)
    expect(await get('/auth/callback?code=a&state=b')).toMatchObject(mismatch)
    expect((await post('/auth/login', credentials)).status).toBe(200)
  })

  it('reports no password requirement for another provider, whatever local.requirePassword is', async () => {
    const { get, configs } = await open()
    const server = oauthServer(issuer.origin)
    configs.set({ server: { auth: { ...server.auth, local: { requirePassword: true } } } })
    expect((await get('/api/auth/config')).body).toEqual({ provider: 'oauth', requirePassword: false, registration: 'off' })
  })

  it('keeps tokens valid, and the account is the same in both ways', async () => {
    const { get, post, configs, people } = await open()
    const { body } = await post('/auth/login', credentials)
    configs.set({ server: oauthServer(issuer.origin) })
    expect((await get('/auth/me', { authorization: `Bearer ${body.token}` })).status).toBe(200)
    const { playerId } = readFragment(await signInAt(get))
    expect(playerId).toBe(people.player.playerId)
  })

  it('refuses the callback of a sign-in that began before the switch', async () => {
    const { get, configs } = await open()
    configs.set({ server: oauthServer(issuer.origin) })
    const browser = createBrowser()
    const path = await passIssuer(browser, await begin(get, browser))
    configs.set({})
    expect(await finish(get, browser, path)).toMatchObject(mismatch)
  })
})
