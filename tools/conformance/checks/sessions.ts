import { Type } from '@sinclair/typebox'
import { check, feature } from '../check.ts'
import { expectBody, expectEqual, expectNoBody, expectProblem, expectStatus, expectThat } from '../report/expectations.ts'

const SignedIn = Type.Object({ token: Type.String(), displayName: Type.String(), playerId: Type.String() })
const VerifiedSignIn = Type.Composite([SignedIn, Type.Object({ verified: Type.Boolean() })])
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const sessions = feature('Tokens', [
  check('administrator', 'explain permissions with checks in the order of the server', async ({ ask, fixtures }) => {
    const { email } = await fixtures.player()
    const query = new URLSearchParams({ email, command: 'announce', verified: 'false' })
    const answer = await ask('administrator', `GET /api/admin/explain?${query}`)
    const { checks } = expectBody(answer, Type.Object({ checks: Type.Array(Type.Object({ check: Type.String() })) }))
    const order = checks.map(({ check: name }) => name).join(' ')
    expectEqual('checks', order, 'switched-off permission verified sanction')
  }),
  check('write', 'are version 4 UUIDs, and /auth/me names their account', async ({ ask, fixtures }) => {
    const { email, token, playerId, password } = await fixtures.player()
    expectThat(uuid4.test(token), 'a token of this form', () => 'another')
    const answer = await ask({ bearer: token }, 'GET /auth/me')
    expectStatus(answer, 200)
    expectEqual('playerId', expectBody(answer, Type.Object({ playerId: Type.String() })).playerId, playerId)
    const again = await ask('nobody', 'POST /auth/login', { json: { email: `  ${email.toUpperCase()} `, password } })
    expectStatus(again, 200)
    const { verified, ...signedIn } = expectBody(again, VerifiedSignIn)
    expectEqual('playerId', signedIn.playerId, playerId)
    expectEqual('verified', verified, true)
  }),
  check('write', 'are renewed, and the previous one stays valid', async ({ ask, fixtures }) => {
    const { token, playerId } = await fixtures.player()
    const answer = await ask({ bearer: token }, 'POST /auth/renew')
    expectStatus(answer, 200)
    const renewed = expectBody(answer, SignedIn)
    expectEqual('playerId', renewed.playerId, playerId)
    expectThat(renewed.token !== token, 'a new token', () => 'the same')
    for (const bearer of [token, renewed.token]) expectStatus(await ask({ bearer }, 'GET /auth/me'), 200)
  }),
  check(
    'write',
    'become invalid with a sign-out, renewed ones too, but not those of other sign-ins',
    async ({ ask, fixtures }) => {
      const { email, password, token } = await fixtures.player()
      const bearer = expectBody(await ask('nobody', 'POST /auth/login', { json: { email, password } }), SignedIn).token
      const renewed = expectBody(await ask({ bearer }, 'POST /auth/renew'), SignedIn).token
      const answer = await ask({ bearer }, 'POST /auth/logout')
      expectStatus(answer, 204)
      expectNoBody(answer)
      for (const dead of [bearer, renewed]) expectProblem(await ask({ bearer: dead }, 'GET /auth/me'), 401, 'invalid-token')
      expectStatus(await ask({ bearer: token }, 'GET /auth/me'), 200)
    },
  ),
  check('write', 'except one become invalid with a new password, which needs the current one', async ({ ask, fixtures }) => {
    const { email, password, token } = await fixtures.player()
    const bearer = expectBody(await ask('nobody', 'POST /auth/login', { json: { email, password } }), SignedIn).token
    const wrong = await ask({ bearer: token }, 'POST /auth/password', { json: { current: `${password}x`, next: password } })
    expectProblem(wrong, 403, 'wrong-password')
    expectStatus(await ask({ bearer }, 'GET /auth/me'), 200)
    // The same password again, because other checks use this account.
    const set = await ask({ bearer: token }, 'POST /auth/password', { json: { current: password, next: password } })
    expectStatus(set, 204)
    expectProblem(await ask({ bearer }, 'GET /auth/me'), 401, 'invalid-token')
    expectStatus(await ask({ bearer: token }, 'GET /auth/me'), 200)
  }),
])
