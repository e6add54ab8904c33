import { describe, expect, it } from '@jest/globals'
import { type BrowserSignIn, signInByBrowser } from '../../../../infra/play/sign-in/sign-in-by-browser.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

const token = '5b0b3c1e-8f4e-4c5d-9a55-0d7f5b1c2a3d'
const hour = 3_600_000

/** A sign-in whose server sends everybody back; `bring` is what the page in the browser does. */
const begin = (differs: Partial<BrowserSignIn> = {}) => {
  const said: string[] = []
  const returnUrls: string[] = []
  const interruption = new AbortController()
  const result = signInByBrowser({
    signIn: {
      startOauth: async (returnUrl) => {
        returnUrls.push(returnUrl)
        return 'https://game.example.org/auth/oauth/start?returnUrl=…'
      },
    },
    secret: 'the-secret',
    say: (text) => said.push(text),
    interrupted: interruption.signal,
    hintAfterMs: hour,
    giveUpAfterMs: hour,
    ...differs,
  })
  const outcome = result.then(
    (value) => ({ token: value }),
    (error: Error) => ({ error: error.message }),
  )
  const bring = async () => {
    await waitFor(() => said.length > 0)
    const [url = ''] = returnUrls
    const headers = { 'Content-Type': 'application/json', Origin: new URL(url).origin }
    return fetch(url, { method: 'POST', headers, body: JSON.stringify({ token, displayName: 'Ann', playerId: 'id' }) })
  }
  return { outcome, said, returnUrls, bring, interrupt: () => interruption.abort() }
}

const isClosed = (url: string | undefined) =>
  fetch(url ?? '').then(
    () => false,
    () => true,
  )

describe('signing in by browser from the terminal', () => {
  it('prints the link, and goes on with the token that the browser brings, which it shows nowhere', async () => {
    const { outcome, said, returnUrls, bring } = begin()
    expect((await bring()).status).toBe(204)
    expect(await outcome).toEqual({ token })
    expect(said).toEqual([expect.stringContaining('\n  https://game.example.org/auth/oauth/start?returnUrl=…\n')])
    expect(said.join()).not.toContain(token)
    expect(await isClosed(returnUrls[0])).toBe(true)
  })

  it('says after a while what may be wrong, and still waits', async () => {
    const { outcome, said, bring } = begin({ hintAfterMs: 1 })
    await waitFor(() => said.length === 2)
    expect(said[1]).toMatch(/Still waiting.*\n.*this machine.*\n.*Ctrl-C/)
    await bring()
    expect(await outcome).toEqual({ token })
  })

  it('gives up when nobody comes in time, and listens no more', async () => {
    const { outcome, returnUrls } = begin({ giveUpAfterMs: 1 })
    expect(await outcome).toEqual({ error: expect.stringContaining('Nobody came back') })
    expect(await isClosed(returnUrls[0])).toBe(true)
  })

  it('gives up at Ctrl-C, and listens no more', async () => {
    const { outcome, said, returnUrls, interrupt } = begin()
    await waitFor(() => said.length > 0)
    interrupt()
    expect(await outcome).toEqual({ error: 'No sign-in.' })
    expect(await isClosed(returnUrls[0])).toBe(true)
  })

  it('prints no link that the server refuses, but its reason', async () => {
    const startOauth = async () => {
      throw new Error('The server refused the sign-in: Return URL not allowed.')
    }
    const { outcome, said } = begin({ signIn: { startOauth } })
    expect(await outcome).toEqual({ error: 'The server refused the sign-in: Return URL not allowed.' })
    expect(said).toEqual([])
  })
})
