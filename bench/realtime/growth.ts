import { type Bench, type BenchResult, round } from '../result.ts'
import { sideFor } from './fan-out.ts'
import type { LoadKind } from './joins.ts'
import { runScenario, type Scenario, type ScenarioResult } from './scenario.ts'

const crowds = [250, 500, 1000, 2000] as const
const seen = 20

/** The same number of blocks per player in every crowd, so that each sees about 20 others: only the crowd grows. */
const scenarioOf = (players: number): Scenario => ({
  players,
  sideBlocks: Math.round(sideFor(1000, seen) * Math.sqrt(players / 1000)),
  joinsPerSecond: 100,
  observers: 10,
  measureMs: 8000,
})

type Point = { readonly players: number; readonly result: ScenarioResult; readonly spreadMiB: number }

const measure = async (kind: LoadKind, players: number, argument: string): Promise<Point> => {
  const result = await runScenario(kind, scenarioOf(players), argument)
  return { players, result, spreadMiB: result.server.rssMiB - result.emptyRssMiB }
}

/** Fits a line by least squares: the base cost, and the cost per player. */
const fitLine = (points: readonly (readonly [x: number, y: number])[]) => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const slope =
    points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  return { slope, start: meanY - slope * meanX }
}

const memoryLine = (points: readonly Point[]) => {
  const { slope, start } = fitLine(points.map(({ players, spreadMiB }) => [players, spreadMiB]))
  return { kibEach: slope * 1024, startMiB: start }
}

const listCrowds = (points: readonly Point[], value: (point: Point) => number): string =>
  points.map((point) => `${point.players}: ${round(value(point), 1)}`).join(', ')

/**
 * Benchmarks how memory and processor time grow with walking crowds of 250 to 2,000 at one density. It cannot show players in one
 * place, nor changes of land: the ground is level and small.
 */
export const growth: Bench = {
  name: 'growth',
  run: async () => {
    const own: Point[] = []
    const bare: Point[] = []
    for (const players of crowds) {
      const point = await measure('gatehouse', players, JSON.stringify(scenarioOf(players)))
      own.push(point)
      bare.push(await measure('bare', players, JSON.stringify(point.result.server.tickFrames.slice(0, 4000))))
    }
    const [ours, theirs] = [memoryLine(own), memoryLine(bare)]
    const thousand = own.find(({ players }) => players === 1000)?.spreadMiB ?? Number.NaN
    const name = 'bare ws, same bytes'
    const bench = 'growth'
    const results: readonly BenchResult[] = [
      {
        bench,
        figure: `memory of each player, spread and walking (MiB over the empty process: ${listCrowds(own, (p) => p.spreadMiB)})`,
        value: round(ours.kibEach, 1),
        unit: 'KiB',
        reference: { name, value: round(theirs.kibEach, 1) },
        ratio: round(ours.kibEach / theirs.kibEach, 2),
      },
      {
        bench,
        figure: 'where that line begins, over the empty process',
        value: round(ours.startMiB, 1),
        unit: 'MiB',
        reference: { name, value: round(theirs.startMiB, 1) },
      },
      {
        bench,
        figure: 'memory of 1,000 players, spread and walking, over the empty process',
        value: round(thousand, 1),
        unit: 'MiB',
        target: 'under 120',
        met: thousand < 120,
      },
      {
        bench,
        figure: `CPU per player and tick of the largest crowd (${listCrowds(own, (p) => p.result.cpuMicrosPerPlayerTick)}; bare: ${listCrowds(bare, (p) => p.result.cpuMicrosPerPlayerTick)})`,
        value: round(own.at(-1)?.result.cpuMicrosPerPlayerTick ?? Number.NaN, 1),
        unit: 'µs',
        reference: { name, value: round(bare.at(-1)?.result.cpuMicrosPerPlayerTick ?? Number.NaN, 1) },
      },
      ...own.map(({ players, result }) => ({
        bench,
        figure: `${players} players: slowest two seconds`,
        value: round(result.server.slowestHz, 2),
        unit: 'ticks/s',
        target: 'at least 19.5',
        met: result.server.slowestHz >= 19.5,
      })),
    ]
    return results
  },
}
