import { openLoopbackReturn } from './loopback-return.ts'
import type { SignInClient } from './sign-in.ts'

export type BrowserSignIn = {
  readonly signIn: Pick<SignInClient, 'startOauth'>
  /** Of this attempt alone. */
  readonly secret: string
  readonly say: (text: string) => void
  /** Aborted when the player gives up. */
  readonly interrupted: AbortSignal
  /** How long to wait for the browser before a word on what may be wrong, and before giving up. */
  readonly hintAfterMs: number
  readonly giveUpAfterMs: number
}

/** As long as the server remembers a sign-in that has begun, and a word before that. */
export const browserWaits = { hintAfterMs: 60_000, giveUpAfterMs: 10 * 60_000 } as const

const hint = `* Still waiting for the browser. If it shows a problem, what stands there says what to do: mend it and open the link again.
  The browser has to run on this machine and take cookies, and to reach the server by the name that the link gives.
  Ctrl-C gives up.`

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/**
 * Signs in at the server's identity provider in a browser on this machine, and resolves with the token that it brings. Throws an Error
 * for the player when the server refuses to begin, when nobody comes in time, or when the player gives up.
 */
export const signInByBrowser = async (asked: BrowserSignIn): Promise<string> => {
  const { signIn, secret, say, interrupted, hintAfterMs, giveUpAfterMs } = asked
  const back = await openLoopbackReturn(secret)
  const late = new AbortController()
  const timers = [setTimeout(() => say(hint), hintAfterMs), setTimeout(() => late.abort(), giveUpAfterMs)]
  const refuse = (signal: AbortSignal, text: string) =>
    whenAborted(signal).then((): never => {
      throw new Error(text)
    })
  try {
    const link = await signIn.startOauth(back.returnUrl)
    say(`* Sign in with your browser, on this machine: open this link.\n\n  ${link}\n`)
    return await Promise.race([
      back.token,
      refuse(interrupted, 'No sign-in.'),
      refuse(late.signal, 'Nobody came back from the browser in time; start again.'),
    ])
  } finally {
    for (const timer of timers) clearTimeout(timer)
    await back.close()
  }
}
