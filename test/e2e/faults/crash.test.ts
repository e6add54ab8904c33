import { afterAll, expect, it } from '@jest/globals'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()
afterAll(() => stage.close())

/** Every page of a list of the API. */
const readAll = async (server: Server, token: string, path: string, key: string): Promise<Record<string, string>[]> => {
  const items: Record<string, string>[] = []
  let cursor: unknown
  do {
    const page = cursor === undefined ? '' : `&cursor=${encodeURIComponent(String(cursor))}`
    const { body } = await ask(server.url, `GET ${path}?limit=200${page}`, { token })
    items.push(...(body[key] as Record<string, string>[]))
    cursor = body.nextCursor
  } while (cursor !== undefined)
  return items
}

it('keeps every confirmed account with its audit entry after kill -9 during many creations', async () => {
  const dataDir = await stage.createDataDir()
  const server = await stage.start({ DATA_DIR: dataDir })
  const boss = await stage.claim(server)
  const created = new Map<string, unknown>()
  let next = 0
  const createWithoutEnd = async (): Promise<void> => {
    for (;;) {
      next += 1
      const email = `crash-${next}@example.com`
      const answer = await ask(server.url, 'POST /api/admin/users', { token: boss, body: { email, password: 'a good password' } })
      if (answer.status === 201) created.set(email, answer.body.playerId)
    }
  }
  const streams = Promise.allSettled(Array.from({ length: 6 }, createWithoutEnd))
  await waitFor(() => created.size >= 15)
  server.signal('SIGKILL')
  expect(await server.ended).toBe('SIGKILL')
  await streams

  const again = await stage.start({ DATA_DIR: dataDir })
  const token = await stage.signIn(again.url, administrator.email, administrator.password)
  const users = new Map(
    (await readAll(again, token, '/api/admin/users', 'users')).map(({ email, playerId }) => [email, playerId]),
  )
  const audited = (await readAll(again, token, '/api/admin/audit', 'entries'))
    .filter(({ action }) => action === 'account.create')
    .map(({ target }) => target)
  for (const [email, playerId] of created) {
    expect([email, users.get(email)]).toEqual([email, playerId])
    expect(audited.filter((target) => target === email)).toEqual([email])
  }
  // An unconfirmed account may exist or not, but never without its entry, and nothing needs a repair.
  for (const email of users.keys()) if (email !== administrator.email) expect(audited).toContain(email)
  expect((await ask(again.url, 'GET /readyz')).body).toMatchObject({ ready: true, warnings: [] })
  const more = { email: 'after@example.com', password: 'a good password' }
  expect((await ask(again.url, 'POST /api/admin/users', { token, body: more })).status).toBe(201)
})
