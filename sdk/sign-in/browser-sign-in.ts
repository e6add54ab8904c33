import { type Environment, environment, type PageStorage } from '../environment.ts'
import { ProblemError } from '../errors.ts'
import { type Fetch, parseServerAddress } from '../http/ask.ts'
import { type SignIn, signIn } from './sign-in.ts'

/** The sign-in of this browser, which every page of the server in it shares. */
export type BrowserSignIn = {
  /**
   * Resumes the sign-in of this tab, else that of another tab. Undefined if there is none, or if the server no longer accepts it. Throws
   * UnreachableError if the server is away; then the token is retained.
   */
  resume(options?: { readonly signal?: AbortSignal }): Promise<SignIn | undefined>
  /** Stores the newest token of `me` for a reload of this tab and for new tabs, until the returned function is called. */
  keep(me: SignIn): () => void
  /** Removes the token of `me` without signing out, for a sign-in that the server ended. */
  drop(me: SignIn): void
  /** Signs out in this tab, in every other tab with the same account, and on the server. Throws as `SignIn.signOut` does. */
  signOut(me: SignIn): Promise<void>
  /** Calls `act` when another tab signs `me` out, until the returned function is called. */
  onSignedOut(me: SignIn, act: () => void): () => void
}

/** If the browser blocks the data of pages, each use throws. A reload then needs another sign-in. */
const attempt = <T>(of: 'sessionStorage' | 'localStorage', use: (storage: PageStorage) => T): T | undefined => {
  try {
    const storage = environment()[of]
    return storage && use(storage)
  } catch {
    return undefined
  }
}

const storages = ['sessionStorage', 'localStorage'] as const satisfies readonly (keyof Environment)[]

const isRefused = (error: unknown): boolean =>
  error instanceof ProblemError && (error.problem.status === 401 || error.problem.status === 403)

/**
 * Stores a sign-in for a reload of the page (`sessionStorage`) and for new tabs (`localStorage`). The stored token is valid for
 * ten minutes, so a sign-in ends ten minutes after its last tab closes.
 */
export const openBrowserSignIn = (options: { readonly url: string; readonly fetch?: Fetch }): BrowserSignIn => {
  const url = parseServerAddress(options.url)
  // Two servers below different paths of one origin have separate sign-ins.
  const name = `gatehouse.token${new URL(url).pathname.replace(/\/$/, '')}`
  const find = (of: (typeof storages)[number]) => attempt(of, (storage) => storage.getItem(name)) ?? undefined
  const store = (token: string): void => {
    for (const of of storages) attempt(of, (storage) => storage.setItem(name, token))
  }
  const remove = (token: string): void => {
    for (const of of storages) if (find(of) === token) attempt(of, (storage) => storage.removeItem(name))
  }
  const openChannel = () => {
    const { BroadcastChannel } = environment()
    return BroadcastChannel && new BroadcastChannel(name)
  }
  return {
    resume: async ({ signal } = {}) => {
      for (const token of new Set(storages.map(find))) {
        if (token === undefined) continue
        try {
          return await signIn({ ...options, url, token, ...(signal && { signal }) })
        } catch (error) {
          if (!isRefused(error)) throw error
          remove(token)
        }
      }
      return undefined
    },
    keep: (me) => {
      store(me.token())
      return me.onRenewed(store)
    },
    drop: (me) => remove(me.token()),
    signOut: async (me) => {
      for (const of of storages) attempt(of, (storage) => storage.removeItem(name))
      const channel = openChannel()
      channel?.postMessage(me.playerId)
      channel?.close()
      await me.signOut()
    },
    onSignedOut: (me, act) => {
      const channel = openChannel()
      if (channel === undefined) return () => undefined
      channel.addEventListener('message', (event) => {
        if (Reflect.get(event, 'data') === me.playerId) act()
      })
      return () => channel.close()
    },
  }
}
