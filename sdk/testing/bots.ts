import { ProblemError } from '../errors.ts'
import type { Fetch } from '../http/ask.ts'
import { type SignIn, type SignInOptions, signIn } from '../sign-in/sign-in.ts'
import { systemTimers } from '../timers.ts'
import { type Bot, type BotOptions, startBot } from './bot.ts'

/** How many bots come to which server, and how busy each is. */
export type BotsOptions = BotOptions & {
  /** Base address of the server. */
  readonly url: string
  readonly count: number
  /** Of the whole crowd; each has an address `bot-N@…` of its own. */
  readonly password?: string
  readonly domain?: string
  readonly fetch?: Fetch
  /** How many sign in at once. */
  readonly atOnce?: number
  /** Called when the server limits sign-ins: so many bots are in, and the next signs in after so many seconds. */
  readonly onWait?: (wait: { readonly ready: number; readonly seconds: number }) => void
}

/** A crowd of bots that is in the game. */
export type Bots = {
  readonly bots: readonly Bot[]
  /** Everybody leaves. */
  stop(): Promise<void>
}

/** Runs `work` for 0 to `count` - 1, so many at once; begins no more once one has failed, and throws its error when all that were begun are over. */
const inTurns = async (count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> => {
  let next = 0
  const errors: unknown[] = []
  const runOne = async (): Promise<void> => {
    while (next < count && errors.length === 0) {
      const index = next
      next += 1
      await work(index).catch((error: unknown) => errors.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, runOne))
  if (errors.length > 0) throw errors[0]
}

/** Resolves after the time, or at once when `signal` is aborted. */
const pause = (seconds: number, { timers = systemTimers, signal }: Pick<BotsOptions, 'timers' | 'signal'>): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const stop = timers.after(seconds * 1_000, resolve)
    signal?.addEventListener(
      'abort',
      () => {
        stop()
        resolve()
      },
      { once: true },
    )
  })

/**
 * Sends a crowd into the game from one process. Where the server limits sign-ins, the rest wait for as long as it says. When one cannot
 * come in, all leave again and the error says why.
 */
export const startBots = async (options: BotsOptions): Promise<Bots> => {
  const { url, count, password = '', domain = 'bots.invalid', fetch, atOnce = 8, onWait } = options
  const signIns: SignIn[] = []
  const bots: Bot[] = []
  const signInPatiently = async (one: SignInOptions): Promise<SignIn> => {
    for (;;)
      try {
        return await signIn(one)
      } catch (error) {
        const seconds =
          error instanceof ProblemError && error.problem.status === 429 ? error.problem.retryAfterSeconds : undefined
        if (seconds === undefined || options.signal?.aborted === true) throw error
        onWait?.({ ready: bots.length, seconds })
        await pause(seconds, options)
      }
  }
  const stop = async (): Promise<void> => {
    await Promise.all(bots.map((bot) => bot.stop()))
    for (const one of signIns) one.close()
  }
  try {
    await inTurns(count, atOnce, async (index) => {
      const email = `bot-${index + 1}@${domain}`
      const signal = options.signal
      const signedIn = await signInPatiently({ url, email, password, ...(fetch && { fetch }), ...(signal && { signal }) })
      signIns.push(signedIn)
      bots.push(await startBot(signedIn, options))
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { bots, stop }
}
