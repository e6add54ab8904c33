import { Type } from '@sinclair/typebox'
import { check, feature, type Kit } from '../check.ts'
import { removeAccount } from '../fixtures/remove-account.ts'
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
  if (facts.provider !== 'local') throw new Skipped(`sign-in is by ${facts.provider} here`)
}
const needOauth = ({ facts }: Kit): void => {
  if (facts.provider === 'local') throw new Skipped('sign-in is by email and password here')
}

const notEmails = ['', 'nobody', '@example.com', 'nobody@', 'a b@example.com', `${'x'.repeat(250)}@example.com`]

export const signIn = feature('Sign-in', [
  check('nothing', 'says how, and whether a password is asked for', async ({ ask }) => {
    const answer = await ask('nobody', 'GET /api/auth/config')
    expectStatus(answer, 200)
    const { provider } = expectBody(answer, Type.Object({ provider: Type.String(), requirePassword: Type.Boolean() }))
    expectThat(provider !== '', 'the name of a provider', () => showAnswer(answer))
  }),
  check('nothing', 'refuses what is no email', async (kit) => {
    needLocal(kit)
    for (const email of notEmails) {
      const answer = await kit.ask('nobody', 'POST /auth/login', { json: { email, password: 'no password' } })
      expectThat(answer.status === 400 || answer.status === 401, '400 or 401', () => showAnswer(answer))
    }
  }),
  check('nothing', 'of nobody fails with 401, and makes no account', async (kit) => {
    needLocal(kit)
    if (!kit.facts.requirePassword) throw new Skipped('whoever names an email gets an account here')
    const json = { email: `${kit.name}-nobody@example.com`, password: 'no password of anybody' }
    for (const _attempt of [1, 2])
      expectProblem(await kit.ask('nobody', 'POST /auth/login', { json }), 401, 'invalid-credentials')
  }),
  check('nothing', 'without a password is refused by the name of the key where one is asked for', async (kit) => {
    needLocal(kit)
    if (!kit.facts.requirePassword) throw new Skipped('nobody is asked for a password here')
    const answer = await kit.ask('nobody', 'POST /auth/login', { json: { email: `${kit.name}-nobody@example.com` } })
    expectFaultAt(answer, '/password')
  }),
  check('nothing', 'refuses a name that cannot be seen to who comes for the first time, and makes no account', async (kit) => {
    needLocal(kit)
    const json = { email: `${kit.name}-unnamed@example.com`, password: 'no password of anybody', displayName: '\u200b' }
    const answer = await kit.ask('nobody', 'POST /auth/login', { json })
    // Where passwords are asked for, nothing is looked at before them.
    if (kit.facts.requirePassword) expectProblem(answer, 401, 'invalid-credentials')
    else expectFaultAt(answer, '/displayName')
  }),
  check('write', 'gives a name to the account that it makes, and to nobody else', async (kit) => {
    needLocal(kit)
    if (kit.facts.requirePassword) throw new Skipped('a sign-in makes no account here')
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
  check('administrator', 'of the administrator with a wrong password fails, or opens nothing that is privileged', async (kit) => {
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
  check('nothing', 'by email and password answers 404 where an identity provider signs people in', async (kit) => {
    needOauth(kit)
    const json = { email: 'nobody@example.com', password: 'no password' }
    expectProblem(await kit.ask('nobody', 'POST /auth/login', { json }), 404, 'provider-mismatch')
  }),
  check('nothing', 'through an identity provider answers 404 where there is none', async (kit) => {
    needLocal(kit)
    const target = '/auth/oauth/start?returnUrl=https%3A%2F%2Fconformance.example%2F'
    expectProblem(await kit.ask('nobody', `GET ${target}`), 404, 'provider-mismatch')
  }),
  check('nothing', 'through an identity provider leads to no address that an operator has not listed', async (kit) => {
    needOauth(kit)
    for (const returnUrl of ['', 'https://conformance.example/', '//conformance.example', 'javascript:alert(1)']) {
      const answer = await kit.ask('nobody', `GET /auth/oauth/start?returnUrl=${encodeURIComponent(returnUrl)}`)
      expectProblem(answer, 400, 'return-url-not-allowed')
    }
  }),
  check('nothing', 'through an identity provider ends for no state that was not begun', async (kit) => {
    const answer = await kit.ask('nobody', 'GET /auth/callback?code=no-code&state=no-state')
    if (kit.facts.provider === 'local') expectProblem(answer, 404, 'provider-mismatch')
    else expectProblem(answer, 400, 'unknown-state')
  }),
  check('nothing', 'takes no claim that the server did not print', async ({ ask }) => {
    const json = { claim: 'no-claim', email: 'nobody@example.com', password: 'no password of anybody' }
    const answer = await ask('nobody', 'POST /auth/claim', { json })
    expectThat([401, 404, 409].includes(answer.status), '401, 404 or 409', () => showAnswer(answer))
  }),
  check('nothing', 'has a page to claim a new server with', async ({ ask }) => {
    const claim = await ask('nobody', 'GET /claim')
    // Where the console was built it asks for the claim; browsers take the fragment of the link along.
    const answer = claim.status === 302 ? await ask('nobody', 'GET /console') : claim
    expectStatus(answer, 200)
    expectMediaType(answer, 'text/html')
    expectHeader(answer, 'Content-Security-Policy', /default-src 'none'/)
  }),
])
