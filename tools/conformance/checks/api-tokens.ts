import { setTimeout as pause } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { check, feature, type Kit } from '../check.ts'
import { expectBody, expectEqual, expectProblem, expectStatus, expectThat } from '../report/expectations.ts'

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
