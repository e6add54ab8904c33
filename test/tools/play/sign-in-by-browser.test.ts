import { afterEach, describe, expect, it } from '@jest/globals'
import { type SignIn, signIn } from '../../../sdk/sign-in/sign-in.ts'
import { createFakeServer } from '../../../sdk/testing/fake-server.ts'
import { signInByBrowser } from '../../../tools/play/find-sign-in.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const opened: SignIn[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

/** A sign-in whose server sends everybody back, or refuses to; `bring` is what the page in the browser does. */
const begin = async (options: { readonly hintAfterMs?: number; readonly start?: () => Response } = {}) => {
  const { hintAfterMs, start = () => Response.redirect('https://provider.example.org/', 302) } = options
  const server = createFakeServer()
  const first = await signIn({ url: server.url, email: 'ann@example.com', fetch: server.fetch })
  opened.push(first)
  const said: string[] = []
  const interruption = new AbortController()
  const outcome = signInByBrowser({
    url: server.url,
    say: (text) => said.push(text),
    interrupted: interruption.signal,
    fetch: async (url, init) => (url.includes('/auth/oauth/start') ? start() : server.fetch(url, init)),
    ...(hintAfterMs !== undefined && { hintAfterMs }),
  }).then(
    (me) => {
      opened.push(me)
      return { playerId: me.playerId }
    },
    (error: Error) => ({ error: error.message }),
  )
  const returnUrl = async () => {
    const find = () => /http\S+/.exec(said.join('\n'))?.[0]
    await waitFor(() => find() !== undefined)
    const link = find() ?? ''
    return new URL(link).searchParams.get('returnUrl') ?? ''
  }
  const bring = async () => {
    const url = await returnUrl()
    const headers = { 'Content-Type': 'application/json', Origin: new URL(url).origin }
    return fetch(url, { method: 'POST', headers, body: JSON.stringify({ token: first.token(), displayName: 'Ann' }) })
  }
  return { outcome, said, first, returnUrl, bring, interrupt: () => interruption.abort() }
}

const isClosed = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  )

describe('signing in by browser from the terminal', () => {
  it('prints the link, and goes on with the token that the browser brings, which it shows nowhere', async () => {
    const { outcome, said, first, returnUrl, bring } = await begin()
    const url = await returnUrl()
    expect((await bring()).status).toBe(204)
    expect(await outcome).toEqual({ playerId: first.playerId })
    expect(said).toEqual([expect.stringMatching(/\n\n {2}http\S+\/auth\/oauth\/start\?returnUrl=\S+\n$/)])
    expect(said.join()).not.toContain(first.token())
    expect(await isClosed(url)).toBe(true)
  })

  it('says after a while what may be wrong, and still waits', async () => {
    const { outcome, said, first, bring } = await begin({ hintAfterMs: 1 })
    await waitFor(() => said.length === 2)
    const hint = said.find((text) => text.includes('Still waiting'))
    expect(hint).toMatch(/Still waiting.*\n.*this machine.*\n.*Ctrl-C/)
    await bring()
    expect(await outcome).toEqual({ playerId: first.playerId })
  })

  it('gives up at Ctrl-C, and listens no more', async () => {
    const { outcome, returnUrl, interrupt } = await begin()
    const url = await returnUrl()
    interrupt()
    expect(await outcome).toEqual({ error: 'No sign-in.' })
    expect(await isClosed(url)).toBe(true)
  })

  it('prints no link that the server refuses, but its reason', async () => {
    const problem = {
      type: '/problems/bad-request',
      title: 'Return URL not allowed',
      status: 400,
      detail: 'An operator lists those.',
    }
    const { outcome, said } = await begin({ start: () => Response.json(problem, { status: 400 }) })
    expect(await outcome).toEqual({ error: 'Return URL not allowed. An operator lists those.' })
    expect(said).toEqual([])
  })
})
