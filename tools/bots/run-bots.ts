import { parseArgs } from 'node:util'
import { GatehouseError } from '../../sdk/errors.ts'
import type { Fetch } from '../../sdk/http/ask.ts'
import type { Bot } from '../../sdk/testing/bot.ts'
import { startBots } from '../../sdk/testing/bots.ts'
import { asksForHelp } from '../../shared/platform/process/asks-for-help.ts'

const botsUsage = `Usage: npm run bots -- [--url http://127.0.0.1:3000] [--world NAME] [--count 20] [--seconds 60] [--moves 20] [--chat 30] [--build 10]

  --world    the world of the bots, if the server has several
  --count    how many bots walk around; each signs in as bot-1@bots.invalid, bot-2@bots.invalid, …
  --seconds  how long they play; until Ctrl-C by default
  --moves    moves per second of each bot, 1 to 20
  --chat     seconds between chat lines of each bot; no chat by default
  --build    seconds between block changes of each bot; no changes by default

If the server requires passwords, all bots use the one in GATEHOUSE_PASSWORD.
`

type BotsArguments = {
  readonly url: string
  readonly world?: string
  readonly count: number
  readonly movesPerSecond: number
  readonly seconds?: number
  readonly chatEveryMs?: number
  readonly buildEveryMs?: number
}

const countMax = 10_000

const readNumber = (name: string, text: string, max: number): number => {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0 && value <= max) return value
  throw new Error(`--${name} must be a number above 0 and at most ${max}.`)
}

/** Reads the arguments of `npm run bots`. Throws an Error with a message for the user. */
const parseBotsArguments = (args: readonly string[]): BotsArguments => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:3000' },
      count: { type: 'string', default: '20' },
      moves: { type: 'string', default: '20' },
      world: text,
      seconds: text,
      chat: text,
      build: text,
    },
  })
  const { url, world, count, moves, seconds, chat, build } = values
  const day = 86_400
  return {
    url,
    ...(world !== undefined && { world }),
    count: Math.ceil(readNumber('count', count, countMax)),
    movesPerSecond: readNumber('moves', moves, 20),
    ...(seconds !== undefined && { seconds: readNumber('seconds', seconds, day) }),
    ...(chat !== undefined && { chatEveryMs: readNumber('chat', chat, day) * 1_000 }),
    ...(build !== undefined && { buildEveryMs: readNumber('build', build, day) * 1_000 }),
  }
}

export type BotsRun = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly WebSocket: unknown
  readonly fetch: Fetch
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  readonly interrupted: AbortSignal
}

const reportEveryMs = 5_000

type Totals = { readonly live: number; readonly moves: number; readonly corrections: number; readonly refusals: number }

const addUp = (bots: readonly Bot[]): Totals => ({
  live: bots.filter(({ session }) => session.state().name === 'live').length,
  moves: bots.reduce((sum, { counts }) => sum + counts.moves, 0),
  corrections: bots.reduce((sum, { counts }) => sum + counts.corrections, 0),
  refusals: bots.reduce((sum, { counts }) => sum + counts.refusals, 0),
})

/** Prints the statistics of the bots every five seconds until the run ends. */
const watch = async (bots: readonly Bot[], run: BotsRun, seconds: number | undefined): Promise<void> => {
  let last = addUp(bots)
  const report = setInterval(() => {
    const now = addUp(bots)
    const perSecond = Math.round(((now.moves - last.moves) * 1_000) / reportEveryMs)
    run.print(
      `${now.live} of ${bots.length} connected, ${perSecond} moves a second, ${now.corrections} corrections, ${now.refusals} refusals\n`,
    )
    last = now
  }, reportEveryMs)
  await new Promise<void>((resolve) => {
    if (seconds !== undefined) setTimeout(resolve, seconds * 1_000).unref()
    run.interrupted.addEventListener('abort', () => resolve(), { once: true })
    if (run.interrupted.aborted) resolve()
  })
  clearInterval(report)
}

const readArguments = ({ args, complain }: BotsRun): BotsArguments | undefined => {
  try {
    return parseBotsArguments(args)
  } catch (error) {
    complain(`${error instanceof Error ? error.message : String(error)}\n\n${botsUsage}`)
    return undefined
  }
}

/** Runs a crowd of bots until the time ends or Ctrl-C. Returns the exit code: 1 for bad usage, 2 if they cannot sign in. */
export const runBots = async (run: BotsRun): Promise<number> => {
  if (asksForHelp(run.args)) {
    run.print(botsUsage)
    return 0
  }
  const parsed = readArguments(run)
  if (parsed === undefined) return 1
  const { seconds, ...options } = parsed
  const password = run.env.GATEHOUSE_PASSWORD
  try {
    const { WebSocket, fetch, interrupted: signal } = run
    let toldAtMs = Number.NEGATIVE_INFINITY
    const onWait = ({ ready, seconds }: { readonly ready: number; readonly seconds: number }): void => {
      // Sign-ins that start together are refused together.
      if (performance.now() - toldAtMs < 1_000) return
      toldAtMs = performance.now()
      run.print(
        `${ready} of ${options.count} bots have joined. The server limits sign-ins. The next bots follow in ${seconds} s.\n`,
      )
    }
    const crowd = await startBots({ ...options, WebSocket, fetch, signal, onWait, ...(password !== undefined && { password }) })
    run.print(`${crowd.bots.length} bots are in the game at ${options.url}.\n`)
    await watch(crowd.bots, run, seconds)
    await crowd.stop()
    const { moves, corrections } = addUp(crowd.bots)
    run.print(`The bots left after ${moves} moves and ${corrections} corrections.\n`)
    return 0
  } catch (error) {
    if (run.interrupted.aborted) return 0
    if (!(error instanceof GatehouseError)) throw error
    run.complain(`${error.message}\n`)
    return 2
  }
}
