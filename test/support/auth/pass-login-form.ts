import { issuerPassword } from './issuer-client.ts'
import type { Browser } from './oauth-browser.ts'

export type LoginForm = {
  readonly browser: Browser
  /** The first address of the sign-in. */
  readonly url: string
  readonly login: string
  /** Returns true for the final address. */
  readonly isEnd: (url: string) => boolean
}

/** Follows redirects from `url`, fills in the login form of the issuer, and returns the address that `isEnd` accepts. */
export const passLoginForm = async ({ browser, url: start, login, isEnd }: LoginForm): Promise<string> => {
  let url = start
  let body: URLSearchParams | undefined
  for (let hop = 0; hop < 20; hop += 1) {
    if (isEnd(url)) return url
    const method = body === undefined ? 'GET' : 'POST'
    const headers = { cookie: browser.cookiesFor(url) }
    const response = await fetch(url, { redirect: 'manual', method, headers, ...(body === undefined ? {} : { body }) })
    browser.keep(url, response.headers.getSetCookie())
    const location = response.headers.get('location')
    const text = await response.text()
    const isForm = location === null && body === undefined && text.includes('<form method="post">')
    if (location === null && !isForm) throw new Error(`${response.status} at ${new URL(url).pathname}: ${text}`)
    body = isForm ? new URLSearchParams({ login, password: issuerPassword }) : undefined
    url = location === null ? url : new URL(location, url).href
  }
  throw new Error('too many redirects')
}
