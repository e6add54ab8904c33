import { afterEach, describe, expect, it } from '@jest/globals'
import { openLoopbackReturn } from '../../../sdk/sign-in/loopback-return.ts'
import { signIn } from '../../../sdk/sign-in/sign-in.ts'
import { signInByLoopback } from '../../../sdk/sign-in/sign-in-by-loopback.ts'
import { createFakeServer } from '../../../sdk/testing/fake-server.ts'

const token = '5b0b3c1e-8f4e-4c5d-9a55-0d7f5b1c2a3d'
let back: Awaited<ReturnType<typeof openLoopbackReturn>> | undefined
afterEach(async () => {
  await back?.close()
  back = undefined
})

const bring = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { Origin: new URL(url).origin, 'Content-Type': 'application/json', ...headers } })

describe('a loopback return', () => {
  it('shows a page under a strict policy, and takes the first token that comes', async () => {
    back = await openLoopbackReturn()
    const page = await fetch(back.returnUrl)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'sha256-/)
    expect(await page.text()).toContain('<output role="status">')
    expect((await bring(back.returnUrl, JSON.stringify({ token }))).status).toBe(204)
    expect(await back.token).toBe(token)
    expect((await bring(back.returnUrl, JSON.stringify({ token }))).status).toBe(409)
  })

  it.each([
    ['another page', JSON.stringify({ token }), { Origin: 'https://evil.example.org' }, 403],
    ['a form', JSON.stringify({ token }), { 'Content-Type': 'text/plain' }, 403],
    ['no token', JSON.stringify({ token: 'x' }), {}, 400],
    ['no JSON', 'token', {}, 400],
    ['too much', JSON.stringify({ token, more: 'x'.repeat(10_000) }), {}, 400],
  ])('takes nothing from %s', async (_, body, headers, status) => {
    back = await openLoopbackReturn()
    expect((await bring(back.returnUrl, body, headers)).status).toBe(status)
  })

  it('knows no other path', async () => {
    back = await openLoopbackReturn()
    expect((await fetch(new URL('/gatehouse/guess', back.returnUrl))).status).toBe(404)
  })
})

describe('a sign-in by a browser on this machine', () => {
  const begin = async () => {
    const server = createFakeServer()
    const first = await signIn({ url: server.url, email: 'ann@example.com', fetch: server.fetch })
    first.close()
    const fetchFrom: typeof server.fetch = async (url, init) =>
      url.includes('/auth/oauth/start') ? Response.redirect('https://provider.example.org/', 302) : server.fetch(url, init)
    return { server, first, fetch: fetchFrom }
  }

  it('shows the link, and is the sign-in that the browser brings', async () => {
    const { server, first, fetch: fetchFrom } = await begin()
    const returnUrl = (link: string) => new URL(link).searchParams.get('returnUrl') ?? ''
    const show = (link: string) => void bring(returnUrl(link), JSON.stringify({ token: first.token() }))
    const me = await signInByLoopback({ url: server.url, show, fetch: fetchFrom })
    expect(me.playerId).toBe(first.playerId)
    me.close()
  })

  it('is given up when nobody comes, and with the reason of its signal', async () => {
    const { server, fetch: fetchFrom } = await begin()
    const asked = { url: server.url, show: () => undefined, fetch: fetchFrom }
    await expect(signInByLoopback({ ...asked, waitMs: 20 })).rejects.toMatchObject({ type: 'nobody-came' })
    const stop = new AbortController()
    const show = () => stop.abort(new Error('enough'))
    await expect(signInByLoopback({ ...asked, show, signal: stop.signal })).rejects.toThrow('enough')
  })

  it('says when the server signs people in another way', async () => {
    const server = createFakeServer()
    await expect(signInByLoopback({ url: server.url, show: () => undefined, fetch: server.fetch })).rejects.toMatchObject({
      type: '/problems/not-found',
    })
  })
})
