import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { issuerClient } from '../../../../support/auth/issuer-client.ts'
import { createOauthFixture, type OauthFixture } from '../../../../support/auth/oauth-fixture.ts'
import { type OddIssuer, type Oddity, openOddIssuer } from '../../../../support/auth/odd-issuer.ts'

const soon = () => Math.floor(Date.now() / 1000)
const refused = { kind: 'unauthenticated', slug: 'exchange-refused' }

describe('a relying party by OpenID Connect Core, section 3.1.3.7', () => {
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
  const accounts = async () => (await fixture.accountStore.listAccounts({ limit: 200 })).accounts

  it('accepts a valid ID token', async () => {
    expect(await signIn()).toMatchObject({
      verified: true,
      account: { email: 'ann@example.com', displayName: 'Ann', subject: `${issuer.origin}|ann-1` },
    })
  })

  it.each<[string, Oddity, RegExp]>([
    ['of another issuer', { claims: { iss: 'https://issuer.example' } }, /iss/],
    ['without an issuer', { claims: { iss: undefined } }, /iss/],
    ['for another audience', { claims: { aud: 'somebody-else' } }, /aud/],
    ['for no audience', { claims: { aud: undefined } }, /aud/],
    ['for several audiences without an authorised party', { claims: { aud: [issuerClient.id, 'another'] } }, /aud/],
    ['for several audiences, with another authorised party', { claims: { aud: [issuerClient.id, 'b'], azp: 'b' } }, /azp/],
    ['without the nonce', { claims: { nonce: undefined } }, /nonce/],
    ['with the nonce of another sign-in', { claims: { nonce: 'another' } }, /nonce/],
    ['that expired', { claims: { exp: soon() - 120, iat: soon() - 180 } }, /exp.*-1[12]\d s from now.*clock/],
    ['that never expires', { claims: { exp: undefined } }, /exp/],
    ['that is not valid yet', { claims: { nbf: soon() + 120 } }, /nbf.*clock/],
    ['issued in the future', { claims: { iat: soon() + 120, exp: soon() + 600 } }, /future.*clock/],
    ['of an unknown time', { claims: { iat: undefined } }, /iat/],
    ['without a subject', { claims: { sub: undefined } }, /sub/],
    ['with an empty subject', { claims: { sub: '' } }, /sub/],
    ['with a subject that is not text', { claims: { sub: 7 } }, /sub/],
    ['without a signature (alg none)', { signing: 'none' }, /./],
    ['signed with the public key as a shared secret (alg HS256)', { signing: 'public-key-as-secret' }, /./],
    [
      'signed by an algorithm that the issuer does not name',
      { metadata: { id_token_signing_alg_values_supported: ['ES256'] } },
      /alg/,
    ],
    ['signed with another key of the same name', { signing: 'another-key' }, /signature/],
    ['whose signature is damaged', { signing: 'damaged' }, /signature/],
    ['signed with a key that the issuer does not have', { header: { kid: 'unheard-of' } }, /key/],
    ['with an unknown critical header', { header: { crit: ['odd'], odd: true } }, /./],
    ['that is absent', { noIdToken: true }, /id_token/],
    ['that is not a token', { token: { body: '{"access_token":"a","token_type":"bearer","id_token":"hidden"}' } }, /JWT/],
    [
      'that is random bytes',
      { token: { body: '{"access_token":"a","token_type":"bearer","id_token":"hid.den.x"}' } },
      /^(?!.*hid).*JWT/,
    ],
  ])('refuses an ID token %s, creates no account and logs the reason', async (_what, oddity, reason) => {
    issuer.be(oddity)
    await expect(signIn()).rejects.toMatchObject(refused)
    expect(await accounts()).toEqual([])
    const lines = fixture.lines.filter(({ msg }) => msg === 'a sign-in through the identity provider was refused')
    expect(lines).toMatchObject([{ requestId: 'request-7', err: { message: expect.stringMatching(reason) } }])
  })

  it.each<[string, Oddity]>([
    ['without at_hash', { claims: { at_hash: undefined } }],
    ['for several audiences with us as the authorised party', { claims: { aud: ['b', issuerClient.id], azp: issuerClient.id } }],
    ['that expired within the clock tolerance', { claims: { exp: soon() - 5 } }],
    ['without a key name when there is one key', { header: { kid: undefined } }],
    ['with more claims than requested', { claims: { acr: 'x', amr: ['pwd'], custom: { a: 1 } } }],
  ])('accepts an ID token %s', async (_what, oddity) => {
    issuer.be(oddity)
    expect(await signIn()).toMatchObject({ account: { email: 'ann@example.com' } })
  })

  it('refuses userinfo of another subject', async () => {
    issuer.be({ claims: { email: undefined }, userinfo: { sub: 'bob-1', email: 'bob@example.com', email_verified: true } })
    await expect(signIn()).rejects.toMatchObject(refused)
    expect(await accounts()).toEqual([])
  })

  it('refuses userinfo without a subject', async () => {
    issuer.be({ claims: { email: undefined }, userinfo: { email: 'bob@example.com', email_verified: true } })
    await expect(signIn()).rejects.toMatchObject(refused)
  })

  it('accepts claims that are only in userinfo', async () => {
    issuer.be({ claims: { email: undefined, email_verified: undefined, name: undefined } })
    expect(await signIn()).toMatchObject({ account: { email: 'ann@example.com', displayName: 'Ann' } })
  })

  it.each(['second', 'first'])('signs in right after a rotation of the keys, the new one named %s', async (kid) => {
    await signIn()
    issuer.rotateKeys(kid)
    expect(await signIn()).toMatchObject({ account: { email: 'ann@example.com' } })
    // One exchange each, because a code is valid once.
    expect(issuer.bodies).toHaveLength(2)
    expect(issuer.asked.filter((path) => path === '/keys')).toHaveLength(2)
  })

  it('contacts the issuer for every sign-in, also with the code of another', async () => {
    await signIn()
    const another = (address: string) => ({ ...issuer.answer(address), code: 'code-1' })
    await expect(fixture.signIn(another)).rejects.toMatchObject(refused)
    expect(issuer.bodies).toHaveLength(2)
  })

  it('reads discovery and keys once for many sign-ins, and again after ten minutes', async () => {
    await Promise.all(Array.from({ length: 20 }, signIn))
    const papers = () => issuer.asked.filter((path) => path === '/keys' || path.startsWith('/.well-known/'))
    expect(papers()).toEqual(['/.well-known/openid-configuration', '/keys'])
    fixture.clock.advance(10 * 60_000)
    await signIn()
    expect(papers()).toHaveLength(4)
  })

  it('refuses an answer with another issuer (RFC 9207)', async () => {
    const answer = (address: string) => ({ ...issuer.answer(address), iss: 'https://issuer.example' })
    await expect(fixture.signIn(answer)).rejects.toMatchObject(refused)
    expect(issuer.bodies).toEqual([])
  })

  it('refuses an answer without an issuer when the provider promises one', async () => {
    issuer.be({ metadata: { authorization_response_iss_parameter_supported: true } })
    await expect(signIn()).rejects.toMatchObject(refused)
    const named = (address: string) => ({ ...issuer.answer(address), iss: issuer.origin })
    expect(await fixture.signIn(named)).toMatchObject({ account: { email: 'ann@example.com' } })
  })

  it('sends the PKCE verifier of its own challenge (S256), and its secret only to the issuer', async () => {
    const { redirectTo } = await fixture.provider.oauthStartUrl('https://game.example.org/play')
    const { searchParams } = new URL(redirectTo)
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(redirectTo).not.toContain(encodeURIComponent(issuerClient.secret))
    await signIn()
    expect(new URLSearchParams(issuer.bodies[0]).get('code_verifier')).toMatch(/^[\w-]{43}$/)
  })
})
