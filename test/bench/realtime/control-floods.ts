import { type Bench, type BenchResult, median, round } from '../result.ts'
import { startChild } from './child.ts'
import type { FloodPlan } from './flood-load.ts'
import type { LoadMeasure, LoadPlan } from './load.ts'
import type { ServerMeasure } from './measured-server.ts'
import type { Scenario } from './scenario.ts'

const walkers = 200
const flooders = 20
const rounds = 3
const settleMs = 10_000
const measureMs = 8_000
const scenario: Scenario = { players: walkers + flooders, sideBlocks: 320, joinsPerSecond: 50, observers: 10, measureMs }

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

type Turn = { readonly server: ServerMeasure; readonly load: LoadMeasure }

const measureOf = <T>(message: Record<string, unknown>): T | undefined =>
  message.measure === undefined ? undefined : JSON.parse(JSON.stringify(message.measure))

const describe = (
  figure: string,
  unit: string,
  turns: Record<'quiet' | 'flooded', readonly Turn[]>,
  of: (turn: Turn) => number,
) => {
  const [quiet, flooded] = [turns.quiet.map(of), turns.flooded.map(of)]
  const list = (values: readonly number[]): string => values.map((value) => round(value, 2)).join(', ')
  return {
    bench: 'control-floods',
    figure: `${figure}, the middle of ${list(flooded)} (without floods: ${list(quiet)})`,
    value: round(median(flooded), 2),
    unit,
    reference: { name: 'without floods', value: round(median(quiet), 2) },
    ratio: round(median(flooded) / median(quiet), 2),
  } satisfies BenchResult
}

/** 200 walkers, by turns alone and beside 20 clients that send pings, pongs and empty fragments and come back whenever they are thrown out. */
export const controlFloods: Bench = {
  name: 'control-floods',
  run: async () => {
    const server = startChild('./gatehouse-server.ts', [JSON.stringify(scenario)])
    const children = [server]
    try {
      const { port, tokens } = await server.wait((message) =>
        typeof message.ready === 'number' && Array.isArray(message.tokens)
          ? { port: message.ready, tokens: message.tokens.map(String) }
          : undefined,
      )
      const isReady = (message: Record<string, unknown>) => (message.ready === true ? true : undefined)
      const plan: LoadPlan = { kind: 'gatehouse', port, ...scenario, players: walkers, tokens: tokens.slice(0, walkers) }
      const load = startChild('./load.ts', [JSON.stringify(plan)])
      const floodPlan: FloodPlan = { port, tokens: tokens.slice(walkers) }
      const flood = startChild('./flood-load.ts', [JSON.stringify(floodPlan)])
      children.push(load, flood)
      await Promise.all([load.wait(isReady), flood.wait(isReady)])
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
      const turns: Record<'quiet' | 'flooded', Turn[]> = { quiet: [], flooded: [] }
      let connectionsMade = 0
      for (let turn = 0; turn < rounds; turn += 1) {
        turns.quiet.push(await measure())
        flood.send('flood')
        turns.flooded.push(await measure())
        flood.send('rest')
        const { opened } = await flood.wait((message): { opened: number } | undefined =>
          message.flooded === undefined ? undefined : JSON.parse(JSON.stringify(message.flooded)),
        )
        connectionsMade = opened
        await pause(1000)
      }
      const framesPerSecond = ({ server: { frames, wallMs } }: Turn): number => (frames * 1000) / wallMs / walkers
      return [
        describe('tick p99', 'ms', turns, ({ server: { tickP99Ms } }) => tickP99Ms),
        describe('slowest two seconds', 'ticks/s', turns, ({ server: { slowestHz } }) => slowestHz),
        describe('frames to each walker a second', 'frames/s', turns, framesPerSecond),
        describe('update latency p99', 'ms', turns, ({ load: { latencyP99Ms } }) => latencyP99Ms),
        { bench: 'control-floods', figure: 'connections that the flooders made', value: connectionsMade, unit: 'connections' },
      ]
    } finally {
      await Promise.all(children.map((child) => child.stop()))
    }
  },
}
