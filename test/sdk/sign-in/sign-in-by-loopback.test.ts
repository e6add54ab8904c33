import { describe, expect, it } from '@jest/globals'
import { signIn } from '../../../sdk/sign-in/sign-in.ts'
import { signInByLoopback } from '../../../sdk/sign-in/sign-in-by-loopback.ts'
import { createFakeServer } from '../../../sdk/testing/fake-server.ts'

const bring = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { Origin: new URL(url).origin, 'Content-Type': 'application/json', ...headers } })

describe('a sign-in by a browser on this machine', () => {
  const begin = async () => {
    const server = createFakeServer()
    const first = await signIn({ url: server.url, email: 'ann@example.com', fetch: server.fetch })
    first.close()
    const fetchFrom: typeof server.fetch = async (url, init) =>
      url.includes('/auth/oauth/start') ? Response.redirect('https://provider.example.org/', 302) : server.fetch(url, init)
    return { server, first, fetch: fetchFrom }
  }

  it('shows the link, and becomes the sign-in of the browser', async () => {
    const { server, first, fetch: fetchFrom } = await begin()
    const returnUrl = (link: string) => new URL(link).searchParams.get('returnUrl') ?? ''
    const show = (link: string) => void bring(returnUrl(link), JSON.stringify({ token: first.token() }))
    const me = await signInByLoopback({ url: server.url, show, fetch: fetchFrom })
    expect(me.playerId).toBe(first.playerId)
    me.close()
  })

  it('starts at the host name of the redirect URI, so that its cookie comes along', async () => {
    const { server, first } = await begin()
    const redirectUri = encodeURIComponent('http://localhost:3000/base/auth/callback')
    const named: typeof server.fetch = async (url, init) =>
      url.includes('/auth/oauth/start')
        ? Response.redirect(`https://id.example/?redirect_uri=${redirectUri}`, 302)
        : server.fetch(url, init)
    const links: string[] = []
    const show = (link: string) => {
      links.push(link)
      void bring(new URL(link).searchParams.get('returnUrl') ?? '', JSON.stringify({ token: first.token() }))
    }
    const me = await signInByLoopback({ url: server.url, show, fetch: named })
    expect(links).toEqual([expect.stringMatching(/^http:\/\/localhost:3000\/base\/auth\/oauth\/start\?returnUrl=/)])
    me.close()
  })

  it('rejects without a return, and with the reason of its signal', async () => {
    const { server, fetch: fetchFrom } = await begin()
    const asked = { url: server.url, show: () => undefined, fetch: fetchFrom }
    await expect(signInByLoopback({ ...asked, waitMs: 20 })).rejects.toMatchObject({ type: 'nobody-came' })
    const stop = new AbortController()
    const show = () => stop.abort(new Error('enough'))
    await expect(signInByLoopback({ ...asked, show, signal: stop.signal })).rejects.toThrow('enough')
  })

  it('reports a server with another kind of sign-in', async () => {
    const server = createFakeServer()
    await expect(signInByLoopback({ url: server.url, show: () => undefined, fetch: server.fetch })).rejects.toMatchObject({
      type: '/problems/not-found',
    })
  })
})
