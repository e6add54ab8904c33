import type { Fetch } from '../http/ask.ts'

/** An account of a fake server. */
export type FakeAccount = { readonly email: string; readonly displayName: string; readonly playerId: string }

/** The sign-in routes of a server that accepts every email with the right password. */
export type FakeSignIns = {
  readonly fetch: Fetch
  find(token: string): FakeAccount | undefined
  /** Makes every token invalid. */
  forget(): void
  setPassword(password: string): void
  isAway: boolean
}

const problem = (status: number, slug: string, title: string): Response =>
  new Response(JSON.stringify({ type: `/problems/${slug}`, title, status }), {
    status,
    headers: { 'Content-Type': 'application/problem+json' },
  })

const noContent = (): Response => new Response(null, { status: 204 })

export const createFakeSignIns = (first = ''): FakeSignIns => {
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
    if (body.password !== password) return problem(401, 'invalid-credentials', 'Invalid credentials')
    const displayName = body.displayName ?? body.email.replace(/@.*/, '')
    const account = accounts.get(body.email) ?? { email: body.email, displayName, playerId: crypto.randomUUID() }
    accounts.set(body.email, account)
    return grant(account, { verified: password !== '' })
  }
  const changePassword = (body: { readonly current: string; readonly next: string }): Response => {
    if (password === '') return problem(403, 'no-password', 'The account has no password')
    if (body.current !== password) return problem(403, 'wrong-password', 'Wrong password')
    password = body.next
    return noContent()
  }
  const answer = (path: string, init: RequestInit): Response => {
    const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? ''
    const account = tokens.get(token)
    if (path === '/api/auth/config') return Response.json({ provider: 'local', requirePassword: password !== '' })
    if (path === '/auth/login') return logIn(JSON.parse(String(init.body)))
    if (path === '/auth/register') return noContent()
    if (!/^\/auth\/(me|renew|logout|password|tokens)$/.test(path)) return problem(404, 'not-found', 'Not found')
    if (account === undefined) return problem(401, 'invalid-token', 'Invalid token')
    const isByApiToken = token.startsWith('ght_')
    if (isByApiToken && path !== '/auth/me') return problem(403, 'not-by-token', 'Not with an API token')
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
      return answer(new URL(url).pathname, init)
    },
    find: (token) => tokens.get(token),
    forget: () => tokens.clear(),
    setPassword: (next) => {
      password = next
    },
    isAway: false,
  }
  return signIns
}
