import { Type } from '@sinclair/typebox'
import { check, feature, type Kit } from '../check.ts'
import { removeAccount } from '../fixtures/player.ts'
import {
  expectBody,
  expectEqual,
  expectFaultAt,
  expectHeader,
  expectMediaType,
  expectProblem,
  expectStatus,
  expectThat,
  showAnswer,
} from '../report/expectations.ts'
import { Skipped } from '../report/skipped.ts'

const needLocal = ({ facts }: Kit): void => {
  if (facts.provider !== 'local') throw new Skipped(`sign-in uses ${facts.provider} here`)
}
const needOauth = ({ facts }: Kit): void => {
  if (facts.provider === 'local') throw new Skipped('sign-in uses email and password here')
}

const notEmails = ['', 'nobody', '@example.com', 'nobody@', 'a b@example.com', `${'x'.repeat(250)}@example.com`]

export const signIn = feature('Sign-in', [
  check('nothing', 'reports its method, and whether it needs a password', async ({ ask }) => {
    const answer = await ask('nobody', 'GET /api/auth/config')
    expectStatus(answer, 200)
    const { provider } = expectBody(answer, Type.Object({ provider: Type.String(), requirePassword: Type.Boolean() }))
    expectThat(provider !== '', 'the name of a provider', () => showAnswer(answer))
  }),
  check('nothing', 'refuses an invalid email', async (kit) => {
    needLocal(kit)
    for (const email of notEmails) {
      const answer = await kit.ask('nobody', 'POST /auth/login', { json: { email, password: 'no password' } })
      expectThat(answer.status === 400 || answer.status === 401, '400 or 401', () => showAnswer(answer))
    }
  }),
  check('nothing', 'of an unknown account returns 401 and creates no account', async (kit) => {
    needLocal(kit)
    if (!kit.facts.requirePassword) throw new Skipped('any email gets an account here')
    const json = { email: `${kit.name}-nobody@example.com`, password: 'no password of anybody' }
    for (const _attempt of [1, 2])
      expectProblem(await kit.ask('nobody', 'POST /auth/login', { json }), 401, 'invalid-credentials')
  }),
  check('nothing', 'without a required password returns 400 and names the key', async (kit) => {
    needLocal(kit)
    if (!kit.facts.requirePassword) throw new Skipped('this server does not require passwords')
    const answer = await kit.ask('nobody', 'POST /auth/login', { json: { email: `${kit.name}-nobody@example.com` } })
    expectFaultAt(answer, '/password')
  }),
  check('nothing', 'refuses an invisible name of a new account, and creates no account', async (kit) => {
    needLocal(kit)
    const json = { email: `${kit.name}-unnamed@example.com`, password: 'no password of anybody', displayName: '\u200b' }
    const answer = await kit.ask('nobody', 'POST /auth/login', { json })
    // A server that requires passwords checks nothing before them.
    if (kit.facts.requirePassword) expectProblem(answer, 401, 'invalid-credentials')
    else expectFaultAt(answer, '/displayName')
  }),
  check('write', 'names a new account, and no existing one', async (kit) => {
    needLocal(kit)
    if (kit.facts.requirePassword) throw new Skipped('a sign-in creates no account here')
    const displayName = `Name ${kit.name}`.slice(-32).trim()
    const signInAs = (suffix: string, name: string) => {
      const email = `${kit.name}-${suffix}@example.com`
      kit.cleanUp.later(`the account ${email}`, () =>
        removeAccount({ ask: (what, send) => kit.ask('administrator', what, send) }, email),
      )
      return kit.ask('nobody', 'POST /auth/login', { json: { email, displayName: name } })
    }
    for (const name of [displayName, 'another name']) {
      const answer = await signInAs('named', name)
      expectStatus(answer, 200)
      const body = expectBody(answer, Type.Object({ displayName: Type.String(), verified: Type.Boolean() }))
      expectEqual('displayName', body.displayName, displayName)
      expectEqual('verified', body.verified, false)
    }
    expectProblem(await signInAs('late', displayName.toUpperCase()), 409, 'display-name-taken')
  }),
  check('administrator', 'of the administrator with a wrong password fails, or has no privileged permission', async (kit) => {
    needLocal(kit)
    if (kit.email === undefined) throw new Skipped('needs the administrator’s email')
    if (kit.facts.requirePassword) {
      const json = { email: kit.email, password: 'no password of anybody' }
      expectProblem(await kit.ask('nobody', 'POST /auth/login', { json }), 401, 'invalid-credentials')
      return
    }
    const bearer = await kit.fixtures.unverifiedToken(kit.email)
    expectProblem(await kit.ask({ bearer }, 'GET /api/admin/users'), 403, 'password-sign-in-needed')
    const own = await kit.ask({ bearer }, 'GET /auth/me')
    const { verified, groups } = expectBody(own, Type.Object({ verified: Type.Boolean(), groups: Type.Array(Type.String()) }))
    expectThat(!verified && !groups.includes('admin'), 'an unverified sign-in with the default groups', () => showAnswer(own))
  }),
  check('nothing', 'with email and password returns 404 if an identity provider is used', async (kit) => {
    needOauth(kit)
    const json = { email: 'nobody@example.com', password: 'no password' }
    expectProblem(await kit.ask('nobody', 'POST /auth/login', { json }), 404, 'provider-mismatch')
  }),
  check('nothing', 'through an identity provider returns 404 if there is none', async (kit) => {
    needLocal(kit)
    const target = '/auth/oauth/start?returnUrl=https%3A%2F%2Fconformance.example%2F'
    expectProblem(await kit.ask('nobody', `GET ${target}`), 404, 'provider-mismatch')
  }),
  check('nothing', 'through an identity provider never redirects to an unlisted address', async (kit) => {
    needOauth(kit)
    for (const returnUrl of ['', 'https://conformance.example/', '//conformance.example', 'javascript:alert(1)']) {
      const answer = await kit.ask('nobody', `GET /auth/oauth/start?returnUrl=${encodeURIComponent(returnUrl)}`)
      expectProblem(answer, 400, 'return-url-not-allowed')
    }
  }),
  check('nothing', 'through an identity provider does not end for an unknown state', async (kit) => {
    const answer = await kit.ask('nobody', 'GET /auth/callback?code=no-code&state=no-state')
    if (kit.facts.provider === 'local') expectProblem(answer, 404, 'provider-mismatch')
    else expectProblem(answer, 400, 'unknown-state')
  }),
  check('nothing', 'refuses a claim that the server did not print', async ({ ask }) => {
    const json = { claim: 'no-claim', email: 'nobody@example.com', password: 'no password of anybody' }
    const answer = await ask('nobody', 'POST /auth/claim', { json })
    expectThat([401, 404, 409].includes(answer.status), '401, 404 or 409', () => showAnswer(answer))
  }),
  check('nothing', 'has a page to claim a new server', async ({ ask }) => {
    const claim = await ask('nobody', 'GET /claim')
    // With the console built, it shows the form. Browsers keep the fragment of the link.
    const answer = claim.status === 302 ? await ask('nobody', 'GET /console') : claim
    expectStatus(answer, 200)
    expectMediaType(answer, 'text/html')
    expectHeader(answer, 'Content-Security-Policy', /default-src 'none'/)
  }),
])
