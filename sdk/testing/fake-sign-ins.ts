import type { Fetch } from '../http/ask.ts'
import { type FakeAccount, toProblem } from './fake-routes.ts'

/** Answers the routes under `/api/admin`. */
export type FakeAdmin = (address: URL, init: RequestInit, account: FakeAccount) => Promise<Response>

/** The sign-in routes of a server that accepts every email with the right password. */
export type FakeSignIns = {
  readonly fetch: Fetch
  find(token: string): FakeAccount | undefined
  /** The accounts that have signed in. */
  accounts(): readonly FakeAccount[]
  /** Makes every token invalid. */
  forget(): void
  setPassword(password: string): void
  isAway: boolean
}

const createProblem = (status: number, slug: string, title: string): Response => toProblem({ problem: { status, slug, title } })
const noContent = (): Response => new Response(null, { status: 204 })

export const createFakeSignIns = (admin: FakeAdmin, first = ''): FakeSignIns => {
  let password = first
  const accounts = new Map<string, FakeAccount>()
  const tokens = new Map<string, FakeAccount>()

  const grant = (
    account: FakeAccount,
    rest: { readonly verified?: boolean } = {},
    token: string = crypto.randomUUID(),
  ): Response => {
    tokens.set(token, account)
    return Response.json({ token, displayName: account.displayName, playerId: account.playerId, ...rest })
  }
  const logIn = (body: { readonly email: string; readonly password: string; readonly displayName?: string }): Response => {
    if (body.password !== password) return createProblem(401, 'invalid-credentials', 'Invalid credentials')
    const displayName = body.displayName ?? body.email.replace(/@.*/, '')
    const account = accounts.get(body.email) ?? { email: body.email, displayName, playerId: crypto.randomUUID() }
    accounts.set(body.email, account)
    return grant(account, { verified: password !== '' })
  }
  const changePassword = (body: { readonly current: string; readonly next: string }): Response => {
    if (password === '') return createProblem(403, 'no-password', 'The account has no password')
    if (body.current !== password) return createProblem(403, 'wrong-password', 'Wrong password')
    password = body.next
    return noContent()
  }
  const answer = (address: URL, init: RequestInit): Response | Promise<Response> => {
    const path = address.pathname
    const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? ''
    const account = tokens.get(token)
    if (path === '/api/auth/config') return Response.json({ provider: 'local', requirePassword: password !== '' })
    if (path === '/auth/login') return logIn(JSON.parse(String(init.body)))
    if (path === '/auth/register') return noContent()
    if (path.startsWith('/api/admin/'))
      return account === undefined ? createProblem(401, 'invalid-token', 'Invalid token') : admin(address, init, account)
    if (!/^\/auth\/(me|renew|logout|password|tokens)$/.test(path)) return createProblem(404, 'not-found', 'Not found')
    if (account === undefined) return createProblem(401, 'invalid-token', 'Invalid token')
    const isByApiToken = token.startsWith('ght_')
    if (isByApiToken && path !== '/auth/me') return createProblem(403, 'not-by-token', 'Not with an API token')
    if (path === '/auth/renew') return grant(account)
    if (path === '/auth/tokens') return grant(account, {}, `ght_${crypto.randomUUID()}`)
    if (path === '/auth/me')
      return Response.json({
        displayName: account.displayName,
        playerId: account.playerId,
        verified: isByApiToken || password !== '',
      })
    if (path === '/auth/password') return changePassword(JSON.parse(String(init.body)))
    tokens.delete(token)
    return noContent()
  }
  const signIns: FakeSignIns = {
    fetch: async (url, init = {}) => {
      init.signal?.throwIfAborted()
      if (signIns.isAway) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
      return answer(new URL(url), init)
    },
    find: (token) => tokens.get(token),
    accounts: () => [...accounts.values()],
    forget: () => tokens.clear(),
    setPassword: (next) => {
      password = next
    },
    isAway: false,
  }
  return signIns
}
