import { GatehouseError, NotGatehouseError } from '../errors.ts'
import { ask, eitherSignal, type Fetch, findUrl, parseServerAddress } from '../http/ask.ts'
import { openLoopbackReturn } from './loopback-return.ts'
import { type SignIn, signIn } from './sign-in.ts'

/** Options of a sign-in through a browser on this machine. */
export type LoopbackSignInOptions = {
  /** Base address of the server. */
  readonly url: string
  /** Receives the link to open in a browser on this machine. */
  readonly show: (link: string) => void
  readonly fetch?: Fetch
  readonly signal?: AbortSignal
  /** How long to wait for the browser; ten minutes by default, which is how long the server remembers a sign-in. */
  readonly waitMs?: number
}

/**
 * The address to which the identity provider returns browsers: the cookie of a sign-in is only sent under the name where it
 * began.
 */
const findOwnName = (location: string | null): string | undefined => {
  const returnsTo = findUrl(location ?? '')?.searchParams.get('redirect_uri') ?? ''
  return /^(https?:.+)\/auth\/callback$/.exec(findUrl(returnsTo)?.href ?? '')?.[1]
}

/**
 * Signs in through the server's identity provider in a browser on this machine, from a program in Node. Throws ProblemError if
 * the server refuses, GatehouseError `nobody-came` if the browser does not return in time, and the signal's reason.
 */
export const signInByLoopback = async (options: LoopbackSignInOptions): Promise<SignIn> => {
  const { show, fetch = globalThis.fetch, signal, waitMs = 10 * 60_000 } = options
  const url = parseServerAddress(options.url)
  const back = await openLoopbackReturn()
  const over = new AbortController()
  const ends = eitherSignal(signal, over.signal)
  const timer = setTimeout(
    () => over.abort(new GatehouseError('nobody-came', 'The browser did not return in time. Start the sign-in again.')),
    waitMs,
  )
  try {
    const path = `/auth/oauth/start?returnUrl=${encodeURIComponent(back.returnUrl)}`
    const begun = await ask({ fetch, url, path, redirect: 'manual', signal: ends })
    if (begun.status !== 302)
      throw new NotGatehouseError(`The address ${url} does not belong to a Gatehouse server. Check the address.`)
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
