import { Type } from '@sinclair/typebox'
import { createParser } from '../../../shared/kernel/schema.ts'

const parseSignedIn = createParser(
  Type.Object({ token: Type.String(), displayName: Type.String(), playerId: Type.String() }, { additionalProperties: true }),
)
const parseAuthConfig = createParser(
  Type.Object({ provider: Type.String(), requirePassword: Type.Boolean() }, { additionalProperties: true }),
)
const parseProblem = createParser(
  Type.Object({ title: Type.String(), detail: Type.Optional(Type.String()) }, { additionalProperties: true }),
)

type SignedIn = { readonly token: string; readonly displayName: string; readonly playerId: string }

/** The sign-in routes of a server; each throws an Error whose message is for the player. */
export type SignInClient = {
  readAuthConfig(): Promise<{ readonly provider: string; readonly requirePassword: boolean }>
  login(email: string, password: string): Promise<SignedIn>
  /** The link to sign in with in a browser, once the server has said that it would send one back to `returnUrl`. */
  startOauth(returnUrl: string): Promise<string>
  /** A fresh token for one that is still alive. */
  renew(token: string): Promise<SignedIn>
}

const answerMs = 30_000

const describeProblem = async (response: Response): Promise<string> => {
  const problem = parseProblem(await response.json().catch(() => undefined))
  const said = problem.ok ? `${problem.value.title}. ${problem.value.detail ?? ''}` : `It answered ${response.status}.`
  const retry = response.headers.get('retry-after')
  return `${said.trim()}${retry === null ? '' : ` Try again in ${retry} s.`}`
}

/** The address by which the identity provider sends browsers back: a sign-in's cookie comes along only where it began at that very name. */
const findOwnName = (location: string | null): string | undefined => {
  if (location === null || !URL.canParse(location)) return undefined
  const returnsTo = new URL(location).searchParams.get('redirect_uri') ?? ''
  const [, ownName] = /^(https?:.+)\/auth\/callback$/.exec(URL.canParse(returnsTo) ? new URL(returnsTo).href : '') ?? []
  return ownName
}

/** Speaks to the routes of API.md section 2 at `url`. */
export const createSignInClient = (url: string, fetchFrom: typeof fetch): SignInClient => {
  const reach = (path: string, init: RequestInit): Promise<Response> =>
    fetchFrom(`${url}${path}`, { ...init, signal: AbortSignal.timeout(answerMs) }).catch((cause: unknown) => {
      throw new Error(`No server answers at ${url}. Is it running? (npm start)`, { cause })
    })
  const ask = async (path: string, init: RequestInit): Promise<unknown> => {
    const response = await reach(path, init)
    if (!response.ok) throw new Error(`The server refused the sign-in: ${await describeProblem(response)}`)
    return response.json().catch(() => undefined)
  }
  const readSignedIn = (answer: unknown): SignedIn => {
    const parsed = parseSignedIn(answer)
    if (parsed.ok) return parsed.value
    throw new Error(`What answers at ${url} is not a Gatehouse server.`)
  }
  return {
    readAuthConfig: async () => {
      const parsed = parseAuthConfig(await ask('/api/auth/config', {}))
      if (parsed.ok) return parsed.value
      throw new Error(`What answers at ${url} is not a Gatehouse server.`)
    },
    login: async (email, password) =>
      readSignedIn(
        await ask('/auth/login', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ email, password }),
        }),
      ),
    startOauth: async (returnUrl) => {
      const path = `/auth/oauth/start?returnUrl=${encodeURIComponent(returnUrl)}`
      const response = await reach(path, { redirect: 'manual' })
      if (response.status !== 302) throw new Error(`The server refused the sign-in: ${await describeProblem(response)}`)
      await response.body?.cancel()
      return `${findOwnName(response.headers.get('location')) ?? url}${path}`
    },
    renew: async (token) =>
      readSignedIn(await ask('/auth/renew', { method: 'POST', headers: { Authorization: `Bearer ${token}` } })),
  }
}
