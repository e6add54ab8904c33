import { setTimeout as pause } from 'node:timers/promises'
import { type Bench, type BenchResult, round } from '../result.ts'
import { startChild } from './child.ts'
import { sideFor } from './fan-out.ts'
import type { ServerMeasure } from './measured-server.ts'

export type NewLandPlan = {
  readonly port: number
  readonly players: number
  readonly joinsPerSecond: number
  readonly tokens: readonly string[]
  readonly blocksPerSecond: number
  readonly height: number
  /** Whether players continue without a column, which a real client never does. */
  readonly walksBlindly: boolean
}

export type NewLandMeasure = {
  readonly steps: number
  /** Steps that waited for land. */
  readonly waits: number
  readonly corrections: number
  readonly groundP99Ms: number
  readonly isOpen: number
  readonly awayMedian: number
}

type Crowd = {
  readonly name: string
  readonly players: number
  readonly blocksPerSecond: number
  /** The side of the square on which players start; 0: all at the spawn. */
  readonly sideBlocks: number
  readonly walksBlindly?: boolean
}

const crowds: readonly Crowd[] = [
  { name: '1,000 who walk', players: 1_000, blocksPerSecond: 4.3, sideBlocks: 0 },
  { name: '1,000 who walk, set down far apart', players: 1_000, blocksPerSecond: 4.3, sideBlocks: sideFor(1000, 20) },
  { name: '50 who fly', players: 50, blocksPerSecond: 20, sideBlocks: 0 },
  {
    name: '1,000 who walk without looking, set down far apart',
    players: 1_000,
    blocksPerSecond: 4.3,
    sideBlocks: sideFor(1000, 20),
    walksBlindly: true,
  },
]
const measureMs = 20_000
const liftedMs = 2_000
/** Above the highest terrain. */
const height = 200
const hertzMin = 19.5

const measureOf = <T>(message: Record<string, unknown>): T | undefined =>
  message.measure === undefined ? undefined : JSON.parse(JSON.stringify(message.measure))

const run = async ({ players, blocksPerSecond, sideBlocks, walksBlindly = false }: Crowd) => {
  const scenario = { players, sideBlocks, joinsPerSecond: 50, observers: 0, measureMs, newLandHeight: height }
  const server = startChild('realtime/gatehouse-server.ts', [JSON.stringify(scenario)])
  let load: ReturnType<typeof startChild> | undefined
  try {
    const { port, tokens } = await server.wait((message) =>
      typeof message.ready === 'number'
        ? { port: message.ready, tokens: Array.isArray(message.tokens) ? message.tokens.map(String) : [] }
        : undefined,
    )
    const plan: NewLandPlan = { port, players, joinsPerSecond: 50, tokens, blocksPerSecond, height, walksBlindly }
    load = startChild('realtime/new-land-load.ts', [JSON.stringify(plan)])
    await load.wait((message) => (message.ready === true ? true : undefined))
    load.send('connect')
    await load.wait((message) => (typeof message.connected === 'number' ? true : undefined), 180_000)
    server.send('lift')
    await server.wait((message) => (message.lifted === true ? true : undefined))
    // Each player receives a Correction for it.
    await pause(liftedMs)
    server.send('begin')
    load.send('begin')
    load.send('walk')
    await pause(measureMs)
    server.send('end')
    load.send('end')
    return {
      server: await server.wait<ServerMeasure>(measureOf),
      load: await load.wait<NewLandMeasure>(measureOf),
    }
  } finally {
    await load?.stop()
    await server.stop()
  }
}

/**
 * Benchmarks crowds that leave the spawn in all directions, or walk from spread starts, over new terrain, at a height without
 * obstacles. One crowd continues without land, which a real client never does, and is corrected. It cannot show the cost of hills
 * in the way, or a load on another machine. Clients share these cores, and their moves come in slices of 5 ms.
 */
export const newLand: Bench = {
  name: 'new-land',
  run: async () => {
    const results: BenchResult[] = []
    for (const crowd of crowds) {
      const { server, load } = await run(crowd)
      const figure = (text: string): string => `${crowd.name} into new land: ${text}`
      results.push(
        {
          bench: 'new-land',
          figure: figure('corrections'),
          value: load.corrections,
          // Such a player receives at most one correction a second.
          ...(crowd.walksBlindly === true
            ? {
                unit: 'corrections',
                target: 'at most one a player and second',
                met: load.corrections <= (crowd.players * measureMs) / 1000 && load.isOpen === crowd.players,
              }
            : { unit: 'corrections', target: '0', met: load.corrections === 0 && load.isOpen === crowd.players }),
        },
        {
          bench: 'new-land',
          figure: figure('slowest two seconds'),
          value: round(server.slowestHz, 2),
          unit: 'ticks/s',
          target: `at least ${hertzMin}`,
          met: server.slowestHz >= hertzMin,
        },
        { bench: 'new-land', figure: figure('tick p99'), value: round(server.tickP99Ms, 1), unit: 'ms' },
        {
          bench: 'new-land',
          figure: figure('steps that waited for land'),
          value: round((load.waits / load.steps) * 100, 1),
          unit: '%',
        },
        {
          bench: 'new-land',
          figure: figure('how far the one in the middle came'),
          value: round(load.awayMedian, 0),
          unit: 'blocks',
        },
        { bench: 'new-land', figure: figure('ground under the feet, p99'), value: round(load.groundP99Ms, 0), unit: 'ms' },
      )
    }
    return results
  },
}
