import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBenchRedis } from '../redis-process.ts'
import { type Bench, type BenchResult, percentile, round } from '../result.ts'
import type { ChatLoadMeasure, ChatLoadPlan } from './chat-load.ts'
import { type BenchChild, startChild } from './child.ts'
import { writeLevelGround } from './level-ground.ts'
import type { LinkedServerMeasure, LinkedServerPlan } from './linked-server.ts'

const linesPerSecond = 1_000
const speakers = 100
const listeners = 200
const observers = 3
const measureMs = 20_000

const stepMs = 50
const workMs = 3

/** The number of the four hundred ticks that the machine may delay beyond the timer. */
const luck = 2

type BeatMeasure = { readonly p99Ms: number; readonly overruns: number; readonly late: number }

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const readMeasure = <T>(message: Record<string, unknown>): T | undefined =>
  message.measure === undefined ? undefined : JSON.parse(JSON.stringify(message.measure))

const startServer = async (plan: LinkedServerPlan) => {
  const child = startChild('realtime/linked-server.ts', [JSON.stringify(plan)])
  const ready = await child.wait((message) =>
    typeof message.ready === 'number'
      ? { port: message.ready, tokens: Array.isArray(message.tokens) ? message.tokens.map(String) : [] }
      : undefined,
  )
  return { child, ...ready }
}

const measure = async (server: BenchChild): Promise<LinkedServerMeasure> => {
  server.send('begin')
  await pause(measureMs)
  server.send('end')
  return server.wait(readMeasure<LinkedServerMeasure>)
}

/** Starts a timer as frequent as the ticks of a node, with similar work. Its delay is caused by the machine. */
const startBeat = () => {
  const intervals: number[] = []
  const durations: number[] = []
  let dueMs = performance.now()
  let lastMs = dueMs
  let timer: NodeJS.Timeout
  const beat = (): void => {
    const startedMs = performance.now()
    intervals.push(startedMs - lastMs)
    lastMs = startedMs
    dueMs = Math.max(dueMs + stepMs, startedMs - 3 * stepMs)
    timer = setTimeout(beat, Math.max(0, dueMs - startedMs))
    while (performance.now() - startedMs < workMs);
    durations.push(performance.now() - startedMs)
  }
  timer = setTimeout(beat, stepMs)
  return (): BeatMeasure => {
    clearTimeout(timer)
    return {
      p99Ms: percentile(durations, 0.99),
      overruns: durations.filter((took) => took > stepMs).length,
      late: intervals.filter((interval) => interval > 1.5 * stepMs).length,
    }
  }
}

type Measures = {
  readonly silent: LinkedServerMeasure
  readonly loud: LinkedServerMeasure
  readonly beat: BeatMeasure
  readonly load: ChatLoadMeasure
}

const bench = 'cross-node-chat'

/** A figure with an upper limit. */
const atMost = (most: number, target: string, result: Omit<BenchResult, 'bench' | 'target' | 'met'>): BenchResult => ({
  bench,
  target,
  ...result,
  met: result.value <= most,
})

const describeLines = (load: ChatLoadMeasure): readonly BenchResult[] => [
  { bench, figure: 'lines said on one node', value: round(load.said / (measureMs / 1000), 0), unit: 'a second' },
  atMost(0, 'none', { figure: 'lines refused', value: load.refused, unit: 'lines' }),
  atMost(0, 'none', {
    figure: 'lines neither refused nor heard by an observer',
    unit: 'lines',
    value: load.said - load.refused - load.heardMin,
  }),
  atMost(0, 'none', { figure: 'lines that an observer heard twice', value: load.heardTwice, unit: 'lines' }),
  atMost(0, 'none', { figure: 'clients that were closed', value: load.closed, unit: 'clients' }),
  { bench, figure: 'from saying to hearing on the other node, p50', value: round(load.latencyP50Ms, 1), unit: 'ms' },
  { bench, figure: 'from saying to hearing on the other node, p99', value: round(load.latencyP99Ms, 1), unit: 'ms' },
]

const describe = ({ silent, loud, beat, load }: Measures): readonly BenchResult[] => {
  const cpuShare = ({ cpuMs }: LinkedServerMeasure): number => round((cpuMs / measureMs) * 100, 1)
  const inSilence = (value: number) => ({ name: 'the same node in silence', value: round(value, 2) })
  const beside = (value: number) => ({ name: `a bare timer with ${workMs} ms of work beside it`, value: round(value, 2) })
  return [
    ...describeLines(load),
    {
      bench,
      figure: `time of a tick on the other node with ${listeners} listeners, p50`,
      unit: 'ms',
      value: round(loud.tickP50Ms, 2),
      reference: inSilence(silent.tickP50Ms),
    },
    atMost(Math.max(25, 3 * beat.p99Ms), 'under 25, or 3 times the timer', {
      figure: 'the same, p99',
      value: round(loud.tickP99Ms, 2),
      unit: 'ms',
      reference: beside(beat.p99Ms),
      ratio: round(loud.tickP99Ms / beat.p99Ms),
    }),
    atMost(beat.overruns + luck, `no more than the timer, and ${luck}`, {
      figure: 'ticks that took longer than 50 ms',
      unit: 'ticks',
      value: loud.overruns,
      reference: beside(beat.overruns),
    }),
    atMost(beat.late + luck, `no more than the timer, and ${luck}`, {
      figure: 'ticks that began 25 ms late or more',
      unit: 'ticks',
      value: loud.lateTicks,
      reference: beside(beat.late),
    }),
    {
      bench,
      figure: 'processor of the other node',
      unit: '% of a core',
      value: cpuShare(loud),
      reference: inSilence(cpuShare(silent)),
    },
  ]
}

/**
 * Benchmarks a thousand lines a second on one node, sent to all players there and on another node; all on one Redis. It cannot
 * show the cost of the lines for clients.
 */
export const crossNodeChat: Bench = {
  name: bench,
  run: async () => {
    const redis = await startBenchRedis()
    const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-chat-'))
    const children: BenchChild[] = []
    try {
      await writeLevelGround(dataDir)
      const common = { redisUrl: redis.url, dataDir }
      const here = await startServer({ ...common, worldName: 'default', players: speakers })
      children.push(here.child)
      const there = await startServer({ ...common, worldName: 'arena', players: listeners })
      children.push(there.child)
      const plan: ChatLoadPlan = {
        speakers: { port: here.port, tokens: here.tokens },
        listeners: { port: there.port, tokens: there.tokens },
        observers,
        linesPerSecond,
      }
      const load = startChild('realtime/chat-load.ts', [JSON.stringify(plan)])
      children.push(load)
      await load.wait((message) => (typeof message.connected === 'number' ? true : undefined))
      await pause(5_000)
      const silent = await measure(there.child)
      load.send('speak')
      const endBeat = startBeat()
      const loud = await measure(there.child)
      const beat = endBeat()
      load.send('hush')
      await pause(1_000)
      load.send('end')
      return describe({ silent, loud, beat, load: await load.wait(readMeasure<ChatLoadMeasure>) })
    } finally {
      for (const child of children) await child.stop()
      await redis.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}
