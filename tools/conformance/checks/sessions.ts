import { setTimeout as pause } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { check, feature, type Kit } from '../check.ts'
import { expectBody, expectEqual, expectNoBody, expectProblem, expectStatus, expectThat } from '../report/expectations.ts'

const SignedIn = Type.Object({ token: Type.String(), displayName: Type.String(), playerId: Type.String() })
const VerifiedSignIn = Type.Composite([SignedIn, Type.Object({ verified: Type.Boolean() })])
const Explained = Type.Object({
  checks: Type.Array(Type.Object({ check: Type.String(), detail: Type.String() })),
  modulesNotAsked: Type.Optional(Type.Boolean()),
})
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
  check('administrator', 'explain edits, and report whether modules were not asked', async ({ ask, fixtures }) => {
    const { email } = await fixtures.player()
    const query = new URLSearchParams({ email, permission: 'world.build', x: '0', y: '64', z: '0', type: 'stone' })
    const answer = await ask('administrator', `GET /api/admin/explain?${query}`)
    expectStatus(answer, 200)
    const { checks, modulesNotAsked = false } = expectBody(answer, Explained)
    const isUnasked = checks.some(({ check: name, detail }) => name === 'module' && detail.includes('not asked'))
    expectEqual('modulesNotAsked', modulesNotAsked, isUnasked)
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

const Token = Type.Object({ id: Type.String(), name: Type.String(), permissions: Type.Array(Type.String()) })
const Created = Type.Object({ id: Type.String(), token: Type.String() })
const Page = Type.Object({ tokens: Type.Array(Token) })

/** Other processes accept a deleted token for at most a second. */
const forgottenWithinMs = 3_000

const createToken = async ({ ask, name, cleanUp }: Kit, permissions: readonly string[]) => {
  const json = { name, permissions, expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
  const answer = await ask('administrator', 'POST /auth/tokens', { json })
  expectStatus(answer, 201)
  const made = expectBody(answer, Created)
  cleanUp.later(`the API token ${made.id}`, async () => void (await ask('administrator', `DELETE /auth/tokens/${made.id}`)))
  return made
}

export const apiTokens = feature('API tokens', [
  check('write', 'open what their permissions name, and nothing else', async (kit) => {
    const { token, id } = await createToken(kit, ['admin.users.read'])
    const bearer = { bearer: token }
    expectStatus(await kit.ask(bearer, 'GET /api/admin/users?limit=1'), 200)
    expectProblem(await kit.ask(bearer, 'GET /api/admin/audit'), 403, 'missing-permission')
    const { tokens } = expectBody(await kit.ask('administrator', 'GET /auth/tokens'), Page)
    const listed = tokens.find((one) => one.id === id)
    expectEqual('the permissions', listed?.permissions, ['admin.users.read'])
    expectThat(!JSON.stringify(tokens).includes(token), 'no secret in the list', () => 'the secret of a token')
  }),
  check('write', 'create no tokens, and end no sign-in', async (kit) => {
    const { token } = await createToken(kit, ['*'])
    const json = { name: kit.name, permissions: ['*'] }
    expectProblem(await kit.ask({ bearer: token }, 'POST /auth/tokens', { json }), 403, 'not-by-token')
    expectProblem(await kit.ask({ bearer: token }, 'POST /auth/logout'), 403, 'not-by-token')
  }),
  check('write', 'are dead once they are deleted', async (kit) => {
    const { token, id } = await createToken(kit, ['admin.users.read'])
    expectStatus(await kit.ask('administrator', `DELETE /auth/tokens/${id}`), 204)
    const deadline = performance.now() + forgottenWithinMs
    const look = () => kit.ask({ bearer: token }, 'GET /api/admin/users?limit=1')
    let answer = await look()
    while (answer.status === 200 && performance.now() < deadline) {
      await pause(200)
      answer = await look()
    }
    expectProblem(answer, 401, 'invalid-token')
    expectProblem(await kit.ask('administrator', `DELETE /auth/tokens/${id}`), 404, 'not-found')
  }),
])
