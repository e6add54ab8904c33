import { type Bench, type BenchResult, round } from '../result.ts'
import { runScenario, type Scenario, type ScenarioResult } from './scenario.ts'

/** Each kind of server runs in turn, so that other work on the machine affects all of them. The median round is reported. */
const rounds = 3

type Rounds = { readonly middle: ScenarioResult; readonly all: readonly number[] }

const pickMiddle = (results: readonly ScenarioResult[]): Rounds => {
  const sorted = results.toSorted((a, b) => a.cpuMicrosPerPlayerTick - b.cpuMicrosPerPlayerTick)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new Error('There was no round.')
  return { middle, all: results.map((result) => round(result.cpuMicrosPerPlayerTick, 1)) }
}

/** The width of a view in blocks at the default view radius: two cells of 64 to each side of its own. */
const viewWidthBlocks = 5 * 64

/** The side of a square on which a player sees that many others on average: players at the edge see less of it. */
export const sideFor = (players: number, seen: number): number =>
  Math.round(viewWidthBlocks / 2 / (1 - Math.sqrt(1 - Math.sqrt(seen / players))))

const sparse: Scenario = { players: 1000, sideBlocks: sideFor(1000, 20), joinsPerSecond: 100, observers: 20, measureMs: 10_000 }
const dense: Scenario = { players: 400, sideBlocks: sideFor(400, 180), joinsPerSecond: 100, observers: 10, measureMs: 10_000 }

/** The number of delivered positions of others, at least a step each; observers are a sample of all clients. */
const countUpdates = ({ server, load }: ScenarioResult, players: number): number =>
  Math.max(1, server.updates > 0 ? server.updates : (load.updatesRead / load.observers) * players)

const cpuOfUpdates = (result: ScenarioResult, players: number): number =>
  (result.server.cpuMs * 1000) / countUpdates(result, players)

const describe = (bench: string, ours: ScenarioResult, players: number): BenchResult[] => {
  const hz = round(ours.server.slowestHz, 2)
  const entriesSeen = ours.server.bytes / Math.max(1, ours.server.frames)
  return [
    { bench, figure: 'slowest two seconds', value: hz, unit: 'ticks/s', target: 'at least 19.5', met: hz >= 19.5 },
    { bench, figure: 'update latency p50', value: round(ours.load.latencyP50Ms, 1), unit: 'ms' },
    { bench, figure: 'update latency p99, of all steps, far ones too', value: round(ours.load.latencyP99Ms, 1), unit: 'ms' },
    {
      bench,
      figure: 'CPU of the server for 1,000 updates that were delivered',
      value: round(cpuOfUpdates(ours, players), 2),
      unit: 'ms',
    },
    {
      bench,
      figure: 'frames to each player a second',
      value: round(ours.server.frames / players / (ours.server.wallMs / 1000), 1),
      unit: 'frames',
    },
    { bench, figure: 'tick duration p99', value: round(ours.server.tickP99Ms, 1), unit: 'ms' },
    {
      bench,
      figure: 'bytes of frames to each player a second',
      value: round(ours.server.bytes / players / (ours.server.wallMs / 1000), 0),
      unit: 'bytes',
    },
    { bench, figure: 'frame size, mean', value: round(entriesSeen, 1), unit: 'bytes' },
    {
      bench,
      figure: 'frames, whole update bytes over updates',
      value: round(ours.load.updateBytes / Math.max(1, ours.load.updatesRead), 1),
      unit: 'bytes',
    },
    {
      bench,
      figure: 'moves refused',
      value: ours.server.refusedMoves,
      unit: 'moves',
      target: '0',
      met: ours.server.refusedMoves === 0,
    },
    { bench, figure: 'connections lost', value: ours.load.closed, unit: 'connections', target: '0', met: ours.load.closed === 0 },
    { bench, figure: 'late sends of the load (over 25 ms)', value: ours.load.lateSends, unit: 'sends' },
  ]
}

/** Steps farther away than 64 blocks may wait two more ticks. */
const latency = (bench: string, { load }: ScenarioResult, limitMs: number): BenchResult => ({
  bench,
  figure: 'update latency p99, of steps within 16 blocks',
  value: round(load.nearLatencyP99Ms, 1),
  unit: 'ms',
  target: `under ${limitMs}`,
  met: load.nearLatencyP99Ms < limitMs && load.nearLatencyP99Ms > 0,
})

/** Compares with bare `ws` that sends the same bytes. */
const compare = (bench: string, ours: Rounds, bare: Rounds): BenchResult => {
  const [us, them] = [ours.middle.cpuMicrosPerPlayerTick, bare.middle.cpuMicrosPerPlayerTick]
  return {
    bench,
    figure: `server CPU per player and tick, the middle of ${ours.all.join(', ')} (reference: ${bare.all.join(', ')})`,
    value: round(us, 1),
    unit: 'µs',
    reference: { name: 'bare ws, same bytes', value: round(them, 1) },
    ratio: round(us / them, 2),
    target: 'at most 1.25 times',
    met: us / them <= 1.25,
  }
}

/** Runs Gatehouse and bare `ws` in turn. */
const runRounds = async (scenario: Scenario): Promise<readonly [ours: Rounds, bare: Rounds]> => {
  const own: ScenarioResult[] = []
  const bare: ScenarioResult[] = []
  for (let turn = 0; turn < rounds; turn += 1) {
    const result = await runScenario('gatehouse', scenario, JSON.stringify(scenario))
    own.push(result)
    bare.push(await runScenario('bare', scenario, JSON.stringify(result.server.tickFrames.slice(0, 4000))))
  }
  return [pickMiddle(own), pickMiddle(bare)]
}

/**
 * Benchmarks 1,000 players, each of whom sees about 20, against bare ws with the same bytes. It cannot show hills, because the
 * ground is level, nor a network: all is loopback.
 */
export const fanOutSparse: Bench = {
  name: 'fan-out-sparse',
  run: async () => {
    const [ours, bare] = await runRounds(sparse)
    const memoryMiB = ours.middle.connectedRssMiB - ours.middle.emptyRssMiB
    return [
      compare('fan-out-sparse', ours, bare),
      latency('fan-out-sparse', ours.middle, 65),
      ...describe('fan-out-sparse', ours.middle, sparse.players),
      {
        bench: 'fan-out-sparse',
        figure: 'memory of 1,000 connected players over the empty process',
        value: round(memoryMiB, 1),
        unit: 'MiB',
        target: 'under 60',
        met: memoryMiB < 60,
      },
    ]
  },
}

/** Benchmarks 400 players, each of whom sees 180. It cannot show a network: a slow connection costs nothing here. */
export const fanOutDense: Bench = {
  name: 'fan-out-dense',
  run: async () => {
    const [ours, bare] = await runRounds(dense)
    return [
      compare('fan-out-dense', ours, bare),
      latency('fan-out-dense', ours.middle, 65),
      ...describe('fan-out-dense', ours.middle, dense.players),
    ]
  },
}

/**
 * Benchmarks the time from Connect to Welcome while 50 players a second join. It cannot show their columns, which come after
 * Welcome: `streaming` does.
 */
export const joins: Bench = {
  name: 'joins',
  run: async () => {
    const scenario = { ...sparse, joinsPerSecond: 50, measureMs: 1000 }
    const ours = await runScenario('gatehouse', scenario, JSON.stringify(scenario))
    return [
      {
        bench: 'joins',
        figure: 'connect to Welcome p99 at 50 joins/s',
        value: round(ours.load.joinP99Ms, 1),
        unit: 'ms',
        target: 'under 100',
        met: ours.load.joinP99Ms < 100,
      },
    ]
  },
}
