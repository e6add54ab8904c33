import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { issuerClient } from '../../../../support/auth/issuer-client.ts'
import { createOauthFixture, type OauthFixture } from '../../../../support/auth/oauth-fixture.ts'
import { type OddIssuer, openOddIssuer } from '../../../../support/auth/odd-issuer.ts'

const discordUser = {
  id: '80351110224678912',
  username: 'nelly',
  global_name: 'Nelly',
  email: 'nelly@example.com',
  verified: true,
}

/** A provider without discovery and ID tokens, such as Discord. */
describe('sign-in by plain OAuth 2.0', () => {
  let issuer: OddIssuer
  let fixture: OauthFixture
  const configure = (more: object = {}) => ({
    type: 'oauth2',
    scopes: 'identify email',
    authorizationUrl: `${issuer.origin}/authorize`,
    tokenUrl: `${issuer.origin}/token`,
    userinfoUrl: `${issuer.origin}/userinfo`,
    ...more,
  })
  beforeEach(async () => {
    issuer = await openOddIssuer(issuerClient.id)
    issuer.be({ noIdToken: true, discovery: { status: 404, body: '{}' }, userinfo: discordUser })
    fixture = await createOauthFixture(issuer.origin, configure())
  })
  afterEach(async () => {
    await fixture.close()
    await issuer.close()
  })
  const signIn = () => fixture.signIn(issuer.answer)
  const tell = (userinfo: object) => issuer.be({ noIdToken: true, userinfo: { ...userinfo } })

  it('reads the identity at the userinfo address, and nothing else', async () => {
    expect(await signIn()).toMatchObject({
      verified: true,
      account: { email: 'nelly@example.com', displayName: 'Nelly', subject: `${issuer.origin}|80351110224678912` },
    })
    expect(issuer.asked).toEqual(['/token', '/userinfo'])
  })

  it('redirects the browser with a state and a challenge, and without a nonce', async () => {
    const { redirectTo } = await fixture.provider.oauthStartUrl('https://game.example.org/play')
    const { pathname, searchParams } = new URL(redirectTo)
    expect(pathname).toBe('/authorize')
    expect([...searchParams.keys()].sort()).toEqual(
      ['client_id', 'code_challenge', 'code_challenge_method', 'redirect_uri', 'response_type', 'scope', 'state'].sort(),
    )
    expect(searchParams.get('scope')).toBe('identify email')
  })

  it.each([
    ['a number, as GitHub’s', { ...discordUser, id: 583231 }, '583231'],
    ['under another name', { ...discordUser, id: undefined, uid: 'u-1' }, 'u-1'],
  ])('accepts a subject that is %s', async (_what, userinfo, subject) => {
    fixture.reconfigure(issuer.origin, configure(subject === 'u-1' ? { claims: { subject: 'uid' } } : {}))
    tell(userinfo)
    expect(await signIn()).toMatchObject({ account: { subject: `${issuer.origin}|${subject}` } })
  })

  it.each([
    ['no subject', { ...discordUser, id: undefined }],
    ['an empty subject', { ...discordUser, id: '' }],
    ['a subject that is a list', { ...discordUser, id: ['1'] }],
    ['a subject without end', { ...discordUser, id: 'x'.repeat(1025) }],
    ['a subject that is a fraction', { ...discordUser, id: 1.5 }],
  ])('refuses %s', async (_what, userinfo) => {
    tell(userinfo)
    await expect(signIn()).rejects.toMatchObject({ kind: 'unauthenticated', slug: 'exchange-refused' })
  })

  it.each(['<html>hidden', '{"hidden', '[]', ''])('refuses the answer %j, and does not quote it', async (userinfo) => {
    issuer.be({ noIdToken: true, userinfo })
    const refusal = await signIn().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ kind: expect.stringMatching(/^(unavailable|unauthenticated)$/) })
    expect(String(Object(refusal).cause)).not.toContain('hidden')
  })

  it('joins an account only by a verified email', async () => {
    await fixture.plant('nelly@example.com')
    tell({ ...discordUser, verified: false })
    await expect(signIn()).rejects.toMatchObject({ kind: 'forbidden', slug: 'account-not-allowed' })
    tell(discordUser)
    expect(await signIn()).toMatchObject({ account: { email: 'nelly@example.com', displayName: 'nelly' } })
  })

  it('explains the refusal of a user who does not share an email', async () => {
    tell({ ...discordUser, email: null })
    await expect(signIn()).rejects.toMatchObject({ slug: 'account-not-allowed', publicDetail: /email/ })
  })
})
