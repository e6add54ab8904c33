import { ProblemError } from '../errors.ts'
import type { Fetch } from '../http/ask.ts'
import { type SignIn, type SignInOptions, signIn } from '../sign-in/sign-in.ts'
import { systemTimers } from '../timers.ts'
import { type Bot, type BotOptions, startBot } from './bot.ts'

/** The number of bots, their server, and how active each is. */
export type BotsOptions = BotOptions & {
  /** Base address of the server. */
  readonly url: string
  readonly count: number
  /** The password of all bots. Each has its own address `bot-N@…`. */
  readonly password?: string
  readonly domain?: string
  readonly fetch?: Fetch
  /** The number of concurrent sign-ins. */
  readonly atOnce?: number
  /** Called when the server limits sign-ins: so many bots have joined, and the next one signs in after so many seconds. */
  readonly onWait?: (wait: { readonly ready: number; readonly seconds: number }) => void
}

/** A crowd of bots in the game. */
export type Bots = {
  readonly bots: readonly Bot[]
  /** Disconnects all bots. */
  stop(): Promise<void>
}

/**
 * Runs `work` for 0 to `count` - 1, so many concurrently. After a failure it starts no more, and throws the error when all
 * running ones have ended.
 */
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

/** Resolves after the time, or at once when `signal` aborts. */
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
 * Connects a crowd from one process. If the server limits sign-ins, the rest wait as long as it says. If one cannot join, all
 * leave again and the error says why.
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
