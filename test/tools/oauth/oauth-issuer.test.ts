import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { issuerClient } from '../../support/auth/issuer-client.ts'
import { oauthServer, redirectUri } from '../../support/auth/oauth-sign-in.ts'
import { type OddIssuer, openOddIssuer } from '../../support/auth/odd-issuer.ts'
import { type OidcIssuer, openOidcIssuer } from '../../support/auth/oidc-issuer.ts'
import { type OauthCheck, openOauthCheck } from './oauth-check.ts'

let check: OauthCheck
const open = async (issuer: string, oauth: object = {}) => {
  check = await openOauthCheck(issuer, oauth)
  return check
}
afterEach(() => check.close())

describe('npm run oauth -- check against a certified provider', () => {
  let issuer: OidcIssuer
  beforeAll(async () => {
    issuer = await openOidcIssuer([redirectUri])
  })
  afterAll(() => issuer.close())

  it('reports no faults, prints the address to register, and exits with 0', async () => {
    const { run } = await open(issuer.origin)
    const { code, printed, lines } = await run('check')
    expect(lines).toEqual(
      expect.arrayContaining([
        `ok    ${issuer.origin} has valid metadata.`,
        'ok    It supports PKCE (S256).',
        'ok    Its keys can be read: 1.',
        `ok    It begins a sign-in. For its return: register exactly ${redirectUri} as a redirect URI there.`,
        'ok    It accepts the client ID and secret.',
      ]),
    )
    expect(code).toBe(0)
    expect(printed).not.toContain(issuerClient.secret)
  })

  it('reports a wrong or missing secret, and exits with 2', async () => {
    const { run, secrets } = await open(issuer.origin)
    secrets.set(issuerClient.secretEnv, 'another secret')
    expect(await run('check')).toMatchObject({
      code: 2,
      printed: expect.stringContaining('FAULT It refuses the client ID and secret'),
    })
    secrets.clear()
    expect(await run('check')).toMatchObject({
      code: 2,
      printed: expect.stringContaining(
        'FAULT The environment variable OAUTH_SECRET of auth.oauth.clientSecretEnv is not set here.',
      ),
    })
  })

  it('prints what to check when the provider does not know the client or its redirect URI', async () => {
    const { run, setServer } = await open(issuer.origin)
    setServer(oauthServer(issuer.origin, { redirectUri: 'http://127.0.0.1:3000/other/auth/callback' }))
    const { printed } = await run('check')
    expect(printed).toMatch(
      /note {2}It answers 400 .* client ID, and register exactly http:\/\/127\.0\.0\.1:3000\/other\/auth\/callback/,
    )
    expect(printed).toMatch(/note .* BASE_URL makes it http:\/\/127\.0\.0\.1:3000\/auth\/callback/)
  })

  it('reports a redirect URI that does not lead here', async () => {
    const { run } = await open(issuer.origin, { redirectUri: 'http://127.0.0.1:3000/auth/oauth/callback' })
    expect(await run('check')).toMatchObject({
      code: 2,
      printed: expect.stringMatching(/FAULT .* must end in \/auth\/callback/),
    })
  })

  it('names the missing settings, even while auth.provider is local, and sends no request', async () => {
    const { run, setServer } = await open(issuer.origin)
    setServer({ auth: { oauth: { issuer: issuer.origin, clientId: 'game' } } })
    const { code, lines } = await run('check')
    expect(code).toBe(2)
    expect(lines).toContain('note  auth.provider is local. Set it to oauth, or no one can sign in this way.')
    expect(lines).toContain('FAULT auth.oauth.clientSecretEnv is required while auth.provider is oauth')
    expect(lines).not.toContain('Identity provider')
  })
})

describe('npm run oauth -- check against a faulty provider', () => {
  let issuer: OddIssuer
  beforeEach(async () => {
    issuer = await openOddIssuer(issuerClient.id)
  })
  afterEach(() => issuer.close())

  it.each([
    [
      'that names itself otherwise',
      { issuer: 'https://other.example.org' },
      /calls itself https:\/\/other\.example\.org\. If it is yours, write that/,
    ],
    ['without a token endpoint', { token_endpoint: undefined }, /has no token_endpoint/],
    ['without keys', { jwks_uri: undefined }, /has no jwks_uri/],
    ['without keys', { jwks_uri: 'http://127.0.0.1:1/keys' }, /keys cannot be read/],
    ['with plain PKCE only', { code_challenge_methods_supported: ['plain'] }, /does not support PKCE with S256/],
    ['without the code flow', { response_types_supported: ['id_token'] }, /does not offer the code flow/],
  ])('names the fault of one %s, and exits with 2', async (_what, metadata, reason) => {
    const { run } = await open(issuer.origin)
    issuer.be({ metadata })
    const { code, lines } = await run('check')
    expect(code).toBe(2)
    expect(lines.filter((line) => line.startsWith('FAULT'))).toContainEqual(expect.stringMatching(reason))
  })

  it.each([
    ['answers with a page', { body: '<html>' }, /not JSON/],
    ['has no discovery document', { status: 404, body: '{}' }, /it answers 404/],
    ['describes something else', { body: '{"hello":"world"}' }, /not the metadata of an OpenID provider/],
  ])('reports that the provider %s', async (_what, discovery, reason) => {
    const { run } = await open(issuer.origin)
    issuer.be({ discovery })
    expect(await run('check')).toMatchObject({ code: 2, printed: expect.stringMatching(reason) })
  })

  it('escapes text of the provider that could control the terminal', async () => {
    const { run } = await open(issuer.origin)
    issuer.be({ metadata: { issuer: 'https://other.example\u001b[2J\nok all is well' } })
    const { printed } = await run('check')
    expect(printed).not.toContain('\u001b')
    expect(printed).not.toMatch(/^ok all/m)
  })

  it('reports a provider that does not answer', async () => {
    const gone = await openOddIssuer(issuerClient.id)
    await gone.close()
    const { run } = await open(gone.origin)
    expect(await run('check')).toMatchObject({ code: 2, printed: expect.stringMatching(/cannot be reached at .*ECONNREFUSED/) })
  })

  it('notes scopes and a claim that the provider does not list but may support', async () => {
    const { run } = await open(issuer.origin, { groupsClaim: { claim: 'realm_access.roles', mapping: {} } })
    issuer.be({
      metadata: { scopes_supported: ['openid', 'email'], claims_supported: ['sub'], code_challenge_methods_supported: ['S256'] },
      token: { status: 400, body: '{"error":"invalid_grant"}' },
    })
    const { lines } = await run('check')
    expect(lines).toContainEqual(expect.stringMatching(/^note {2}It does not list the scopes profile of/))
    expect(lines).toContainEqual(expect.stringMatching(/^note {2}It does not list the claim realm_access\.roles/))
    issuer.be({ metadata: { claims_supported: ['realm_access'] } })
    expect((await run('check')).printed).not.toContain('the claim realm_access.roles')
  })

  it('notes that a provider of plain OAuth 2.0 does not describe itself', async () => {
    const endpoints = {
      authorizationUrl: `${issuer.origin}/authorize`,
      tokenUrl: `${issuer.origin}/token`,
      userinfoUrl: `${issuer.origin}/userinfo`,
    }
    const { run } = await open(issuer.origin, { type: 'oauth2', scopes: 'identify email', ...endpoints })
    issuer.be({ token: { status: 400, body: '{"error":"invalid_grant"}' } })
    const { lines } = await run('check')
    expect(lines).toContainEqual(expect.stringMatching(/^note {2}Plain OAuth 2\.0/))
    expect(lines).toContain('ok    It accepts the client ID and secret.')
    expect(issuer.asked).not.toContain('/.well-known/openid-configuration')
  })
})
