import type { Fetch } from '../http/ask.ts'
import { type SignIn, signIn } from '../sign-in/sign-in.ts'
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

/** Sends a crowd into the game from one process; when one cannot come in, all leave again and the error says why. */
export const startBots = async (options: BotsOptions): Promise<Bots> => {
  const { url, count, password = '', domain = 'bots.invalid', fetch, atOnce = 8 } = options
  const signIns: SignIn[] = []
  const bots: Bot[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(bots.map((bot) => bot.stop()))
    for (const one of signIns) one.close()
  }
  try {
    await inTurns(count, atOnce, async (index) => {
      const email = `bot-${index + 1}@${domain}`
      const signal = options.signal
      const signedIn = await signIn({ url, email, password, ...(fetch && { fetch }), ...(signal && { signal }) })
      signIns.push(signedIn)
      bots.push(await startBot(signedIn, options))
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { bots, stop }
}
