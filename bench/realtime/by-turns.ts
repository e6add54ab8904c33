import { type BenchResult, median, round } from '../result.ts'
import { type BenchChild, startChild } from './child.ts'
import type { LoadMeasure, LoadPlan } from './load.ts'
import type { ServerMeasure } from './measured-server.ts'
import type { Scenario } from './scenario.ts'

const walkers = 200
const rounds = 3
const settleMs = 10_000
const measureMs = 8_000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

type Turn = { readonly server: ServerMeasure; readonly load: LoadMeasure }

type Turns = Readonly<Record<'quiet' | 'disturbed', readonly Turn[]>>

/** The process that disturbs the walkers. It receives `disturb` and `rest`, and answers `rest` with `{rested}`. */
export type Disturbance = {
  readonly bench: string
  /** Returns the script of the process and its argument, JSON with the server's port and the tokens for it. */
  readonly script: string
  /** The number of players whose tokens it has. */
  readonly players: number
  /** Its name in the figures. */
  readonly name: string
}

export type Disturbed = {
  readonly results: readonly BenchResult[]
  /** The last answer to `rest`. */
  readonly rested: Readonly<Record<string, number>>
}

/** The first argument of a disturbing process, as JSON. */
export type DisturbancePlan = {
  readonly port: number
  readonly tokens: readonly string[]
  /** The token of an administrator, signed in by password. */
  readonly admin: string
}

const measureOf = <T>(message: Record<string, unknown>): T | undefined =>
  message.measure === undefined ? undefined : JSON.parse(JSON.stringify(message.measure))

const describe = ({ bench, name }: Disturbance, turns: Turns, figure: string, unit: string, of: (turn: Turn) => number) => {
  const [quiet, disturbed] = [turns.quiet.map(of), turns.disturbed.map(of)]
  const list = (values: readonly number[]): string => values.map((value) => round(value, 2)).join(', ')
  return {
    bench,
    figure: `${figure}, the middle of ${list(disturbed)} (without ${name}: ${list(quiet)})`,
    value: round(median(disturbed), 2),
    unit,
    reference: { name: `without ${name}`, value: round(median(quiet), 2) },
    ratio: round(median(disturbed) / median(quiet), 2),
  } satisfies BenchResult
}

/** Measures 200 walkers, in turns alone and with the disturbance; `after` may query the server before it ends. */
export const measureByTurns = async (
  disturbance: Disturbance,
  after: (server: BenchChild, plan: DisturbancePlan) => Promise<readonly BenchResult[]> = async () => [],
): Promise<Disturbed> => {
  const players = walkers + disturbance.players
  const scenario: Scenario = { players, sideBlocks: 320, joinsPerSecond: 50, observers: 10, measureMs, hasAdmin: true }
  const server = startChild('realtime/gatehouse-server.ts', [JSON.stringify(scenario)])
  const children = [server]
  try {
    const { port, tokens, admin } = await server.wait((message) =>
      typeof message.ready === 'number' && Array.isArray(message.tokens)
        ? { port: message.ready, tokens: message.tokens.map(String), admin: String(message.admin) }
        : undefined,
    )
    const isReady = (message: Record<string, unknown>) => (message.ready === true ? true : undefined)
    const loadPlan: LoadPlan = { kind: 'gatehouse', port, ...scenario, players: walkers, tokens: tokens.slice(0, walkers) }
    const load = startChild('realtime/load.ts', [JSON.stringify(loadPlan)])
    const plan: DisturbancePlan = { port, tokens: tokens.slice(walkers), admin }
    const disturber = startChild(disturbance.script, [JSON.stringify(plan)])
    children.push(load, disturber)
    await Promise.all([load.wait(isReady), disturber.wait(isReady)])
    load.send('connect')
    await load.wait((message) => (typeof message.connected === 'number' ? true : undefined))
    server.send('spread')
    await pause(settleMs / 2)
    load.send('walk')
    await pause(settleMs)
    const measure = async (): Promise<Turn> => {
      server.send('begin')
      load.send('begin')
      await pause(measureMs)
      server.send('end')
      load.send('end')
      return { server: await server.wait<ServerMeasure>(measureOf), load: await load.wait<LoadMeasure>(measureOf) }
    }
    const turns: Record<'quiet' | 'disturbed', Turn[]> = { quiet: [], disturbed: [] }
    let rested: Readonly<Record<string, number>> = {}
    for (let turn = 0; turn < rounds; turn += 1) {
      turns.quiet.push(await measure())
      disturber.send('disturb')
      turns.disturbed.push(await measure())
      disturber.send('rest')
      rested = await disturber.wait((message): Record<string, number> | undefined =>
        message.rested === undefined ? undefined : JSON.parse(JSON.stringify(message.rested)),
      )
      await pause(1000)
    }
    const framesPerSecond = ({ server: { frames, wallMs } }: Turn): number => (frames * 1000) / wallMs / walkers
    const results = [
      describe(disturbance, turns, 'tick p99', 'ms', ({ server: { tickP99Ms } }) => tickP99Ms),
      describe(disturbance, turns, 'from tick to tick, p99', 'ms', ({ server: { gapP99Ms } }) => gapP99Ms),
      describe(disturbance, turns, 'slowest two seconds', 'ticks/s', ({ server: { slowestHz } }) => slowestHz),
      describe(disturbance, turns, 'frames to each walker a second', 'frames/s', framesPerSecond),
      describe(disturbance, turns, 'update latency p99', 'ms', ({ load: { latencyP99Ms } }) => latencyP99Ms),
    ]
    return { results: [...results, ...(await after(server, plan))], rested }
  } finally {
    await Promise.all(children.map((child) => child.stop()))
  }
}
