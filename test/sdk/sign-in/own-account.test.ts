import { describe, expect, it } from '@jest/globals'
import type { Fetch } from '../../../sdk/http/ask.ts'
import { register, resetPassword } from '../../../sdk/sign-in/own-account.ts'
import { signIn } from '../../../sdk/sign-in/sign-in.ts'
import { createFakeServer } from '../../../sdk/testing/fake-server.ts'
import { doors } from '../../http/doors.ts'

const email = 'new@example.com'
const password = 'correct horse of mine'
const next = 'another horse of mine'
const server = {
  auth: { local: { requirePassword: true, registration: 'open' } },
  http: { rateLimits: { signInPerMinutePerAccount: 50 } },
}

describe.each(doors)('an own account, through %s', (_name, open) => {
  const begin = async () => {
    const opened = await open({ as: 'admin', configs: { server } })
    const fetch: Fetch = async (url, { method = 'GET', headers, body } = {}) => {
      const sent = { headers: Object.fromEntries(new Headers(headers)), ...(body && { rawBody: String(body) }) }
      const answer = await opened.request(method, new URL(url).pathname, {
        ...sent,
        headers: { authorization: '', ...sent.headers },
      })
      return new Response(answer.status === 204 ? null : answer.text, { status: answer.status, headers: answer.headers })
    }
    return { opened, at: { url: 'http://game.example.org', fetch } }
  }

  it('is created and signs in, and refuses a taken name', async () => {
    const { at } = await begin()
    await register({ ...at, email, password, displayName: 'Ada' })
    const me = await signIn({ ...at, email, password })
    expect(me.displayName).toBe('Ada')
    me.close()
    const taken = register({ ...at, email: 'other@example.com', password, displayName: 'ADA' })
    await expect(taken).rejects.toMatchObject({ type: '/problems/display-name-taken' })
  })

  it('changes its password: this sign-in continues, and a wrong one changes nothing', async () => {
    const { at } = await begin()
    await register({ ...at, email, password })
    const me = await signIn({ ...at, email, password })
    await expect(me.changePassword({ current: next, next })).rejects.toMatchObject({ type: '/problems/wrong-password' })
    await me.changePassword({ current: password, next })
    expect(await me.renew()).toBe(me.token())
    await expect(signIn({ ...at, email, password })).rejects.toMatchObject({ type: '/problems/invalid-credentials' })
    for (const one of [me, await signIn({ ...at, email, password: next })]) one.close()
  })

  it('names the invalid field', async () => {
    const { at } = await begin()
    const short = register({ ...at, email, password: 'short' })
    await expect(short).rejects.toMatchObject({ problem: { errors: [{ pointer: '/password', message: expect.any(String) }] } })
  })

  it('gets a new password by the code of a reset link, once', async () => {
    const { opened, at } = await begin()
    await register({ ...at, email, password })
    const { body } = await opened.post(`/api/admin/users/${email}/reset-link`)
    await resetPassword({ ...at, code: body.code, password: next })
    const me = await signIn({ ...at, email, password: next })
    me.close()
    const again = resetPassword({ ...at, code: body.code, password })
    await expect(again).rejects.toMatchObject({ type: '/problems/invalid-reset-link' })
  })
})

describe('a sign-in with a stored password', () => {
  it('signs in again with the newest password', async () => {
    const fake = createFakeServer({ password })
    const me = await signIn({ url: fake.url, fetch: fake.fetch, email, password })
    await me.changePassword({ current: password, next })
    fake.forget()
    expect(await me.renew()).toBe(me.token())
    me.close()
  })
})
