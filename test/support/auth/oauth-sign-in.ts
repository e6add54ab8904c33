import type { DoorAnswer } from '../http/door.ts'
import { issuerClient } from './issuer-client.ts'
import { type Browser, createBrowser } from './oauth-browser.ts'

/** The redirect address of the issuer. Nothing listens there: tests carry the answer to the door. */
export const redirectUri = 'http://127.0.0.1:3000/auth/callback'
export const returnUrl = 'https://game.example.org/play'

/** `server.yaml` with this issuer; `oauth` adds to the section. */
export const oauthServer = (issuer: string, oauth: object = {}) => ({
  auth: {
    provider: 'oauth',
    oauth: {
      issuer,
      redirectUri,
      clientId: issuerClient.id,
      clientSecretEnv: issuerClient.secretEnv,
      allowedReturnUrls: [returnUrl, 'http://127.0.0.1/'],
      ...oauth,
    },
  },
})

type Get = (path: string, headers?: Readonly<Record<string, string>>) => Promise<DoorAnswer>

/** The cookies in an answer, one string each. */
export const setCookiesOf = ({ headers }: DoorAnswer): readonly string[] =>
  headers['set-cookie'] === undefined ? [] : headers['set-cookie'].split(/,\s*(?=[\w-]+=)/)

/** Starts a sign-in in `browser`, and returns the address at the issuer. */
export const begin = async (get: Get, browser: Browser, to = returnUrl): Promise<string> => {
  const answer = await get(`/auth/oauth/start?returnUrl=${encodeURIComponent(to)}`, { cookie: browser.cookiesFor(redirectUri) })
  if (answer.status !== 302) throw new Error(`the start answered ${answer.status}: ${answer.text}`)
  browser.keep(redirectUri, setCookiesOf(answer))
  return answer.headers.location ?? ''
}

/** Returns the answer of the issuer as a path of this server. */
export const passIssuer = async (browser: Browser, address: string): Promise<string> => {
  const url = new URL(await browser.follow(address, (at) => at.startsWith(redirectUri)))
  return url.pathname + url.search
}

/** Sends the answer of the issuer to this server. */
export const finish = async (get: Get, browser: Browser, path: string): Promise<DoorAnswer> => {
  const answer = await get(path, { cookie: browser.cookiesFor(redirectUri) })
  browser.keep(redirectUri, setCookiesOf(answer))
  return answer
}

/** Completes a sign-in in a new browser, and returns the last answer. */
export const signInAt = async (get: Get, browser: Browser = createBrowser()): Promise<DoorAnswer> =>
  finish(get, browser, await passIssuer(browser, await begin(get, browser)))

/** The parameters in the fragment that the page receives. */
export const readFragment = ({ headers }: DoorAnswer): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(new URL(headers.location ?? '').hash.slice(1)))
