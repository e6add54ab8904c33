import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ask } from '../support/api.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()
const friend = { email: 'friend@example.com', password: 'the password of mine' }
let variables: Record<string, string>
let server: Server

beforeAll(async () => {
  variables = { DATA_DIR: await stage.createDataDir() }
  server = await stage.start(variables)
  await stage.claim(server)
}, 180_000)
afterAll(() => stage.close())

const signIn = () => ask(server.url, 'POST /auth/login', { body: friend })

describe('an undo of a deleted account whose process is killed', () => {
  it('is done whole or not at all', async () => {
    const say = async (what: string, body?: object) => {
      const token = await stage.signIn(server.url, administrator.email, administrator.password)
      return ask(server.url, what, { token, ...(body && { body }) })
    }
    const list = async () =>
      (await say('GET /api/admin/audit?limit=200')).body.entries as { id: string; action: string; undoes?: string }[]
    await say('POST /api/admin/users', { ...friend, groups: ['player', 'builder'] })
    const { playerId } = (await signIn()).body
    expect((await say(`DELETE /api/admin/users/${friend.email}`)).status).toBe(204)
    const entry = (await list()).find(({ action }) => action === 'account.delete')
    const token = await stage.signIn(server.url, administrator.email, administrator.password)
    const asked = ask(server.url, `POST /api/admin/audit/${entry?.id}/undo`, { token }).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 10))
    await server.kill()
    const answer = await asked
    server = await stage.start(variables)

    const isBack = (await say(`GET /api/admin/users/${friend.email}`)).status === 200
    // The audit entry comes first: it may exist without its write, but never the write without its entry.
    const isAudited = (await list()).some(({ undoes }) => undoes === entry?.id)
    if (isBack) expect(isAudited).toBe(true)
    if (answer?.status === 200) expect(isBack).toBe(true)
    if (!isBack) expect((await say(`POST /api/admin/audit/${entry?.id}/undo`)).status).toBe(200)
    expect((await say(`GET /api/admin/users/${friend.email}`)).body).toMatchObject({ playerId, groups: ['player', 'builder'] })
    expect((await signIn()).body).toMatchObject({ playerId })
    expect((await say(`DELETE /api/admin/users/${friend.email}`)).status).toBe(204)
  }, 180_000)
})
