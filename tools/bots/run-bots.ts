import { GatehouseError } from '../../sdk/errors.ts'
import type { Fetch } from '../../sdk/http/ask.ts'
import type { Bot } from '../../sdk/testing/bot.ts'
import { startBots } from '../../sdk/testing/bots.ts'
import { asksForHelp } from '../usage/asks-for-help.ts'
import { type BotsArguments, botsUsage, parseBotsArguments } from './bots-arguments.ts'

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
