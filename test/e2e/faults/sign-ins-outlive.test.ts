import { afterAll, expect, it } from '@jest/globals'
import { ask } from '../support/api.ts'
import { administrator, createStage } from '../support/stage.ts'

const stage = createStage()
afterAll(() => stage.close())

it('keeps all sign-ins and all logouts of a single process after kill -9', async () => {
  const dataDir = await stage.createDataDir()
  const server = await stage.start({ DATA_DIR: dataDir })
  const boss = await stage.claim(server)
  const signIn = () => stage.signIn(server.url, administrator.email, administrator.password)
  const [left, renewed] = [await signIn(), await signIn()]
  const again = await ask(server.url, 'POST /auth/renew', { token: renewed })
  expect((await ask(server.url, 'POST /auth/logout', { token: left })).status).toBe(204)
  const banned = { email: 'banned@example.com', password: 'a good password' }
  expect((await ask(server.url, 'POST /api/admin/users', { token: boss, body: banned })).status).toBe(201)
  const theirs = await stage.signIn(server.url, banned.email, banned.password)
  const ban = { kind: 'ban', email: banned.email, reason: 'griefing' }
  const { body: sanction } = await ask(server.url, 'POST /api/admin/sanctions', { token: boss, body: ban })
  server.signal('SIGKILL')
  expect(await server.ended).toBe('SIGKILL')

  const later = await stage.start({ DATA_DIR: dataDir })
  const me = async (token: unknown) => (await ask(later.url, 'GET /auth/me', { token: String(token) })).status
  expect(await Promise.all([boss, renewed, again.body.token].map(me))).toEqual([200, 200, 200])
  expect((await ask(later.url, 'POST /auth/renew', { token: renewed })).status).toBe(200)
  expect(await me(left)).toBe(401)
  // Not even after the end of the ban.
  expect((await ask(later.url, `DELETE /api/admin/sanctions/${sanction.id}`, { token: boss })).status).toBe(200)
  expect(await me(theirs)).toBe(401)
  const back = await stage.join(later.url, boss)
  expect(back.welcome.displayName).not.toBe('')
})
