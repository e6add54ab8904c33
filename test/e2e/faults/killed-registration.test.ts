import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { describeOwnRedis, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()
const password = 'the password of mine'
const config = `auth: { local: { requirePassword: true, registration: invite, bcryptCost: 10 } }
http: { rateLimits: { signInPerMinutePerAddress: 10000, requestsPerMinutePerAddress: 10000, signInPerMinutePerAccount: 10000 } }
`
let variables: Record<string, string>
let server: Server

beforeAll(async () => {
  variables = { DATA_DIR: await stage.createDataDir() }
  await writeFile(join(variables.DATA_DIR ?? '', 'config', 'server.yaml'), config)
  server = await stage.start(variables)
  await stage.claim(server)
}, 180_000)
afterAll(() => stage.close())

const say = async (what: string, body?: object) => {
  const token = await stage.signIn(server.url, administrator.email, administrator.password)
  return ask(server.url, what, { token, ...(body && { body }) })
}
const signIn = async (email: string) => (await ask(server.url, 'POST /auth/login', { body: { email, password } })).status

describe('a registration whose process is killed', () => {
  it('leaves either an account or an open invitation', async () => {
    const email = 'friend@example.com'
    const { id, code } = (await say('POST /api/admin/invitations', {})).body
    const body = { email, password, invitation: code }
    const asked = ask(server.url, 'POST /auth/register', { body }).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 30))
    await server.kill()
    const answer = await asked
    server = await stage.start(variables)

    const isThere = (await say(`GET /api/admin/users/${email}`)).status === 200
    if (answer?.status === 204) expect(isThere).toBe(true)
    if (isThere) {
      expect(await signIn(email)).toBe(200)
      const second = await ask(server.url, 'POST /auth/register', { body: { ...body, email: `second${email}` } })
      expect(second).toMatchObject({ status: 403, body: { type: '/problems/invalid-invitation' } })
    } else {
      expect(await signIn(email)).toBe(401)
      const { invitations } = (await say('GET /api/admin/invitations')).body
      expect(invitations).toContainEqual(expect.objectContaining({ id }))
    }
  }, 180_000)
})

describeOwnRedis('a registration at a server with Redis', () => {
  it('is refused with 503 while Redis is away, and then succeeds with the same invitation', async () => {
    const redis = await startRedis()
    await server.kill()
    const own = await stage.start({ ...variables, REDIS_URL: redis.url })
    const token = await stage.signIn(own.url, administrator.email, administrator.password)
    const { code } = (await ask(own.url, 'POST /api/admin/invitations', { token, body: {} })).body
    const body = { email: 'patient@example.com', password, invitation: code }
    const register = () => ask(own.url, 'POST /auth/register', { body })
    await redis.kill()
    expect(await register()).toMatchObject({ status: 503, body: { type: '/problems/service-unavailable' } })
    await redis.restart()
    await waitFor(async () => (await register()).status === 204)
    expect((await ask(own.url, 'POST /auth/login', { body: { email: body.email, password } })).status).toBe(200)
    await redis.stop()
  }, 180_000)
})
