import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { authRoutes } from '../../../functions/auth/routes.ts'
import { oauthServer, readFragment, redirectUri, returnUrl, signInAt } from '../../support/oauth-sign-in.ts'
import { type OidcIssuer, openOidcIssuer } from '../../support/oidc-issuer.ts'
import { doors } from '../doors.ts'

let issuer: OidcIssuer
beforeAll(async () => {
  issuer = await openOidcIssuer([redirectUri])
})
afterAll(() => issuer.close())

const routes = authRoutes
const zoe = { sub: 'zoe-1', email: 'Zoe@Example.com', email_verified: true, name: 'Zoë & Co' }

describe.each(doors)('a sign-in through an identity provider, through %s', (_name, openDoor) => {
  const open = (oauth: object = {}) =>
    openDoor({ routes, configs: { server: oauthServer(issuer.origin, oauth) }, startMs: Date.now() })

  it('ends at the return address with a verified token for a new account, everything in the fragment', async () => {
    issuer.signsInAs(zoe)
    const { get, tokens, accountStore } = await open()
    const answer = await signInAt(get)
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toMatch(
      new RegExp(`^${returnUrl}#token=[^&]+&displayName=Zo%C3%AB%20%26%20Co&playerId=[^&]+$`),
    )
    expect(answer.headers['cache-control']).toBe('no-store')
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
})
