import { GatehouseError, NotGatehouseError } from '../errors.ts'
import { ask, type Fetch } from '../http/ask.ts'
import { eitherSignal } from '../http/either-signal.ts'
import { findUrl } from '../http/find-url.ts'
import { parseServerAddress } from '../http/server-address.ts'
import { openLoopbackReturn } from './loopback-return.ts'
import { type SignIn, signIn } from './sign-in.ts'

/** What a sign-in through a browser on this machine needs. */
export type LoopbackSignInOptions = {
  /** Base address of the server. */
  readonly url: string
  /** Told the link to open in a browser on this machine. */
  readonly show: (link: string) => void
  readonly fetch?: Fetch
  readonly signal?: AbortSignal
  /** How long to wait for the browser; ten minutes unless said, as long as the server remembers a sign-in that has begun. */
  readonly waitMs?: number
}

/** The address by which the identity provider sends browsers back: a sign-in's cookie comes along only where it began at that very name. */
const findOwnName = (location: string | null): string | undefined => {
  const returnsTo = findUrl(location ?? '')?.searchParams.get('redirect_uri') ?? ''
  return /^(https?:.+)\/auth\/callback$/.exec(findUrl(returnsTo)?.href ?? '')?.[1]
}

/**
 * Signs in at the server's identity provider in a browser on this machine, from a program in Node. Throws ProblemError where the server
 * refuses to begin, GatehouseError `nobody-came` when nobody comes back in time, and the signal's reason.
 */
export const signInByLoopback = async (options: LoopbackSignInOptions): Promise<SignIn> => {
  const { show, fetch = globalThis.fetch, signal, waitMs = 10 * 60_000 } = options
  const url = parseServerAddress(options.url)
  const back = await openLoopbackReturn()
  const over = new AbortController()
  const ends = eitherSignal(signal, over.signal)
  const timer = setTimeout(
    () => over.abort(new GatehouseError('nobody-came', 'Nobody came back from the browser in time; start again.')),
    waitMs,
  )
  try {
    const path = `/auth/oauth/start?returnUrl=${encodeURIComponent(back.returnUrl)}`
    const begun = await ask({ fetch, url, path, redirect: 'manual', signal: ends })
    if (begun.status !== 302)
      throw new NotGatehouseError(`What answers at ${url} is not a Gatehouse server. Is the address right?`)
    await begun.body?.cancel()
    show(`${findOwnName(begun.headers.get('location')) ?? url}${path}`)
    ends.throwIfAborted()
    const token = await Promise.race([
      back.token,
      new Promise<never>((_, reject) => ends.addEventListener('abort', () => reject(ends.reason), { once: true })),
    ])
    return await signIn({ url, token, fetch, ...(signal && { signal }) })
  } finally {
    clearTimeout(timer)
    await back.close()
  }
}
