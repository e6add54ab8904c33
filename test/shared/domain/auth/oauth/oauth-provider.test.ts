import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { describeAuthProvider } from '../../../../contracts/auth-provider-contract.ts'
import { issuerClient } from '../../../../support/auth/issuer-client.ts'
import { createOauthFixture, type OauthFixture } from '../../../../support/auth/oauth-fixture.ts'
import { returnUrl } from '../../../../support/auth/oauth-sign-in.ts'
import { type OddIssuer, type Oddity, openOddIssuer } from '../../../../support/auth/odd-issuer.ts'

const unavailable = { kind: 'unavailable', slug: 'identity-provider-unavailable' }
const problem = (slug: string) => ({ kind: 'invalid', slug })

describeAuthProvider('oauth', 'redirect', async () => {
  const issuer = await openOddIssuer(issuerClient.id)
  const fixture = await createOauthFixture(issuer.origin)
  return {
    provider: fixture.provider,
    returnUrl,
    answer: issuer.answer,
    advance: fixture.clock.advance,
    close: async () => {
      await fixture.close()
      await issuer.close()
    },
  }
})

describe('the oauth provider', () => {
  let issuer: OddIssuer
  let fixture: OauthFixture
  beforeEach(async () => {
    issuer = await openOddIssuer(issuerClient.id)
    fixture = await createOauthFixture(issuer.origin)
  })
  afterEach(async () => {
    await fixture.close()
    await issuer.close()
  })
  const signIn = () => fixture.signIn(issuer.answer)

  describe('with a faulty identity provider', () => {
    it.each<[string, Oddity, RegExp]>([
      ['errors', { discovery: { status: 500, body: 'oops' } }, /status 500/],
      ['no page', { discovery: { status: 404, body: '{}' } }, /status 404/],
      ['no JSON', { discovery: { body: '<html>' } }, /not JSON/],
      ['a list', { discovery: { body: '[]' } }, /./],
      ['another issuer', { metadata: { issuer: 'https://issuer.example' } }, /issuer/],
      ['more than a mebibyte', { discovery: { body: `{"x":"${'x'.repeat(1024 * 1024)}"}` } }, /1 MiB/],
      ['a redirect', { discovery: { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } } }, /status 302/],
    ])('throws unavailable at the start when discovery gives %s, with the cause, and recovers', async (_what, oddity, cause) => {
      issuer.be(oddity)
      const start = fixture.provider.oauthStartUrl(returnUrl)
      await expect(start).rejects.toMatchObject({ ...unavailable, cause: { message: expect.stringMatching(cause) } })
      await expect(start).rejects.toMatchObject({ retryAfterSeconds: expect.any(Number) })
      issuer.be({})
      expect(await signIn()).toMatchObject({ verified: true })
    })

    it.each<[string, Oddity]>([
      ['errors', { token: { status: 503, body: '{}' } }],
      ['no JSON', { token: { body: '<html>' } }],
      ['a page', { token: { body: '<html>', type: 'text/html' } }],
      ['a busy answer', { token: { status: 429, body: '{}' } }],
      ['temporarily_unavailable', { token: { status: 400, body: '{"error":"temporarily_unavailable"}' } }],
    ])('throws unavailable at the callback when the token endpoint gives %s', async (_what, oddity) => {
      issuer.be(oddity)
      await expect(signIn()).rejects.toMatchObject(unavailable)
    })

    it('throws unavailable when no server listens', async () => {
      fixture.reconfigure('http://127.0.0.1:1')
      await expect(signIn()).rejects.toMatchObject(unavailable)
    })

    it('waits at most five seconds for an answer', async () => {
      let isNearlyOver = false
      const timer = setTimeout(() => {
        isNearlyOver = true
      }, 4900)
      issuer.be({ discovery: 'never' })
      const starts = await Promise.allSettled([1, 2, 3].map(() => fixture.provider.oauthStartUrl(returnUrl)))
      expect(starts).toMatchObject(
        starts.map(() => ({ status: 'rejected', reason: { ...unavailable, cause: { message: /timed out/ } } })),
      )
      clearTimeout(timer)
      expect(isNearlyOver).toBe(true)
      issuer.be({})
      expect(await signIn()).toMatchObject({ verified: true })
    })

    it('waits a limited time for the answer to the code', async () => {
      issuer.be({ token: 'never' })
      await expect(signIn()).rejects.toMatchObject({ ...unavailable, cause: { message: /timed out/ } })
    })

    it('waits a limited time for an answer that trickles in', async () => {
      const server = createServer((_req, res) => {
        const drop = setInterval(() => res.write(' '), 100)
        res.on('close', () => clearInterval(drop))
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      fixture.reconfigure(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
      await expect(fixture.provider.oauthStartUrl(returnUrl)).rejects.toMatchObject(unavailable)
      server.closeAllConnections()
      server.close()
    })

    it('never uses plain HTTP to another machine, whatever the provider names', async () => {
      issuer.be({ metadata: { token_endpoint: 'http://192.0.2.1/token' } })
      await expect(signIn()).rejects.toMatchObject({ ...unavailable, cause: { message: /not HTTPS/ } })
    })
  })

  it.each([undefined, '', 'nowhere', 'http://192.0.2.1/authorize', 'javascript:alert(1)', 'ftp://issuer.example/'])(
    'redirects no browser to %s, whatever the provider names, and recovers',
    async (authorization_endpoint) => {
      issuer.be({ metadata: { authorization_endpoint } })
      await expect(fixture.provider.oauthStartUrl(returnUrl)).rejects.toMatchObject(unavailable)
      issuer.be({})
      expect(await signIn()).toMatchObject({ verified: true })
    },
  )

  describe('with a refused code', () => {
    it.each([
      ['invalid_grant', { kind: 'unauthenticated', slug: 'exchange-refused' }],
      ['unauthorized_client', { kind: 'unauthenticated', slug: 'exchange-refused' }],
    ])('answers with the meaning of %s, and logs it', async (error, expected) => {
      issuer.be({ token: { status: 400, body: JSON.stringify({ error, error_description: 'the code code-1 and its secret' }) } })
      await expect(signIn()).rejects.toMatchObject(expected)
      expect(fixture.lines).toContainEqual(
        expect.objectContaining({ err: expect.objectContaining({ message: expect.stringContaining(error) }) }),
      )
    })

    it.each([
      ['access_denied', 'consent-refused'],
      ['login_required', 'consent-refused'],
      ['invalid_scope', 'exchange-refused'],
      ['<script>alert(1)</script>', 'exchange-refused'],
    ])('answers %s of the issuer with %s, and requests no token', async (error, slug) => {
      const answer = (address: string) => ({ ...issuer.answer(address), code: undefined, error })
      await expect(fixture.signIn(answer)).rejects.toMatchObject({ kind: 'unauthenticated', slug })
      expect(issuer.bodies).toEqual([])
    })

    it('sends its secret at once in the only way that the provider supports', async () => {
      issuer.be({ metadata: { token_endpoint_auth_methods_supported: ['client_secret_basic'] } })
      await signIn()
      expect(issuer.bodies.map((body) => new URLSearchParams(body).has('client_secret'))).toEqual([false])
    })

    it('sends its secret in the other way when the provider refuses the first', async () => {
      issuer.be({
        token: { status: 401, body: '{"error":"invalid_client"}', headers: { 'www-authenticate': 'Basic realm="x"' } },
      })
      await expect(signIn()).rejects.toMatchObject({ slug: 'exchange-refused' })
      const [byBody, byHeader] = issuer.bodies.map((body) => new URLSearchParams(body))
      expect(byBody?.get('client_secret')).toBe(issuerClient.secret)
      expect(byHeader?.has('client_secret')).toBe(false)
      expect(issuer.bodies).toHaveLength(2)
    })
  })

  it('writes neither secret, code, verifier nor token into log and errors', async () => {
    const oddities: readonly Oddity[] = [
      { claims: { aud: 'x' } },
      { signing: 'damaged' },
      { claims: { email: undefined }, userinfo: { sub: 'x' } },
      { token: { status: 400, body: '{"error":"invalid_grant"}' } },
      { token: { body: '{"access_token":7}' } },
      { token: { status: 401, body: '{"error":"invalid_client"}' } },
    ]
    const errors: unknown[] = []
    for (const oddity of oddities) {
      issuer.be(oddity)
      errors.push(await signIn().catch((error: unknown) => error))
    }
    const logged = JSON.stringify([
      fixture.lines,
      errors.map((error) => ({
        ...Object(error),
        message: String(error),
        cause: String(Object(error).cause),
        inner: { ...Object(Object(error).cause) },
      })),
    ])
    const secrets = issuer.bodies.flatMap((body) =>
      [...new URLSearchParams(body)].filter(([name]) => /code|secret|verifier/.test(name)),
    )
    for (const [, secret] of secrets) expect(logged).not.toContain(`"${secret}`)
    for (const [name, secret] of secrets) if (name !== 'code') expect(logged).not.toContain(secret)
    expect(logged).not.toContain('access-token-of-ann')
    expect(logged).not.toMatch(/eyJ/)
  })

  describe('after a change of the config', () => {
    it('redirects to no address that is no longer allowed', async () => {
      const begun = await fixture.provider.oauthStartUrl(returnUrl)
      fixture.reconfigure(issuer.origin, { allowedReturnUrls: ['https://new.example.org'] })
      const { browserSecret } = begun
      await expect(
        fixture.provider.oauthCallback({ ...issuer.answer(begun.redirectTo), browserSecret }, 'request-7'),
      ).rejects.toMatchObject(problem('return-url-not-allowed'))
      expect(issuer.bodies).toEqual([])
    })

    it('refuses the callback of a sign-in that began with another provider', async () => {
      const other = await openOddIssuer(issuerClient.id)
      const { redirectTo, browserSecret } = await fixture.provider.oauthStartUrl(returnUrl)
      fixture.reconfigure(other.origin)
      const answer = { ...issuer.answer(redirectTo), browserSecret }
      await expect(fixture.provider.oauthCallback(answer, 'request-7')).rejects.toMatchObject(problem('state-expired'))
      expect([...issuer.bodies, ...other.bodies]).toEqual([])
      expect(await fixture.signIn(other.answer)).toMatchObject({ account: { subject: `${other.origin}|ann-1` } })
      await other.close()
    })

    it.each([
      ['client id', { clientId: 'another' }],
      ['redirect URI', { redirectUri: 'http://127.0.0.1:3000/other/auth/callback' }],
    ])('refuses the callback of a sign-in that began with another %s', async (_what, change) => {
      const { redirectTo, browserSecret } = await fixture.provider.oauthStartUrl(returnUrl)
      fixture.reconfigure(issuer.origin, change)
      const answer = { ...issuer.answer(redirectTo), browserSecret }
      await expect(fixture.provider.oauthCallback(answer, 'request-7')).rejects.toMatchObject(problem('state-expired'))
      expect(issuer.bodies).toEqual([])
    })

    it('throws unavailable without the secret, and names its variable only in the log', async () => {
      fixture.reconfigure(issuer.origin, { clientSecretEnv: 'NOT_SET' })
      const refusal = await signIn().catch((error: unknown) => error)
      expect(refusal).toMatchObject({ ...unavailable, cause: { message: expect.stringContaining('NOT_SET') } })
      expect(Object(refusal).publicDetail).not.toContain('NOT_SET')
    })
  })

  it('completes a sign-in that another process began', async () => {
    const { redirectTo, browserSecret } = await fixture.provider.oauthStartUrl(returnUrl)
    const answer = { ...issuer.answer(redirectTo), browserSecret }
    expect(await fixture.createOther().oauthCallback(answer, 'request-7')).toMatchObject({ returnUrl, verified: true })
    await expect(fixture.provider.oauthCallback(answer, 'request-7')).rejects.toMatchObject(problem('state-used'))
  })
})
