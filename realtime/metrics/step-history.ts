import {
  dayStepSeconds,
  dayStepsKept,
  type NodeStep,
  stepSeconds,
  stepsKept,
} from '../../shared/domain/node-reports/day-records.ts'
import type { NodeReports } from '../../shared/domain/node-reports/node-reports.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { createSerialQueue } from '../../shared/kernel/queue.ts'
import { repeat } from '../../shared/kernel/repeat.ts'
import { noQueues, type RealtimeState, type TickObserver } from './realtime-metrics.ts'

/** The number of timed ticks per step. The fastest tick rate fits. */
const ticksTimed = 1_000

/** The resources that a process has used: CPU time since its start in microseconds, and resident bytes. */
export type ProcessUse = { readonly cpuMicros: number; readonly memoryBytes: number }

export const readProcessUse = (): ProcessUse => {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system, memoryBytes: process.memoryUsage.rss() }
}

/** The state of a node during the last ten minutes and the last day. It costs a tick two additions and one array write. */
export type StepHistory = {
  readonly metrics: TickObserver
  /** Ends a step. Returns whether the steps of the day changed. */
  step(): boolean
  /** Adds the steps before its first one, from an earlier process. */
  restoreDay(earlier: readonly NodeStep[]): void
  /** The steps of ten minutes, oldest first. */
  list(): readonly NodeStep[]
  /** The steps of the day, oldest first. */
  listDay(): readonly NodeStep[]
}

export type StepHistoryDeps = { readonly clock: Clock; readonly readUse?: () => ProcessUse }

const round = (value: number): number => Math.round(value * 1000) / 1000

const stepsOfDayStep = dayStepSeconds / stepSeconds

/** One step for several: sums of counts, and the highest of everything else, so that a short peak stays visible. */
const mergeSteps = (steps: readonly NodeStep[]): NodeStep | undefined => {
  const last = steps.at(-1)
  if (last === undefined) return undefined
  const sum = (pick: (step: NodeStep) => number): number => steps.reduce((total, step) => total + pick(step), 0)
  const most = (pick: (step: NodeStep) => number): number => Math.max(...steps.map(pick))
  return {
    at: last.at,
    sessions: most(({ sessions }) => sessions),
    tick: { p50Ms: most(({ tick }) => tick.p50Ms), p99Ms: most(({ tick }) => tick.p99Ms) },
    overruns: sum(({ overruns }) => overruns),
    bytesIn: sum(({ bytesIn }) => bytesIn),
    bytesOut: sum(({ bytesOut }) => bytesOut),
    queues: {
      inbox: most(({ queues }) => queues.inbox),
      work: most(({ queues }) => queues.work),
      edits: most(({ queues }) => queues.edits),
      chunkWrites: most(({ queues }) => queues.chunkWrites),
      terrainWrites: most(({ queues }) => queues.terrainWrites),
      places: most(({ queues }) => queues.places),
    },
    memoryBytes: most(({ memoryBytes }) => memoryBytes),
    cpu: most(({ cpu }) => cpu),
  }
}

export const createStepHistory = ({ clock, readUse = readProcessUse }: StepHistoryDeps): StepHistory => {
  const steps: NodeStep[] = []
  const day: NodeStep[] = []
  let ended = 0
  let isRestored = false
  const times = new Float64Array(ticksTimed)
  let ticks = 0
  let overruns = 0
  let bytesIn = 0
  let bytesOut = 0
  let tickMsMax = Number.POSITIVE_INFINITY
  let state: (() => RealtimeState) | undefined
  let before = { ...readUse(), atMs: clock.monotonic() }

  return {
    metrics: {
      observeTick: (seconds, _sincePrevious, traffic) => {
        const tookMs = seconds * 1000
        if (ticks < ticksTimed) times[ticks] = tookMs
        ticks += 1
        if (tookMs > tickMsMax) overruns += 1
        bytesIn += traffic.bytesIn
        bytesOut += traffic.bytesOut
      },
      watch: (node) => {
        state = node.state
        tickMsMax = 1000 / node.tickRate
      },
    },
    step: () => {
      const now = { ...readUse(), atMs: clock.monotonic() }
      const wallMicros = Math.max(1, (now.atMs - before.atMs) * 1000)
      const sorted = times.subarray(0, Math.min(ticks, ticksTimed)).sort()
      const atMost = (part: number): number => round(sorted[Math.ceil(sorted.length * part) - 1] ?? 0)
      const known = state?.()
      steps.push({
        at: new Date(clock.now()).toISOString(),
        sessions: known?.sessions.connected ?? 0,
        tick: { p50Ms: atMost(0.5), p99Ms: atMost(0.99) },
        overruns,
        bytesIn,
        bytesOut,
        queues: known?.queues ?? noQueues,
        memoryBytes: now.memoryBytes,
        cpu: Math.max(0, round((now.cpuMicros - before.cpuMicros) / wallMicros)),
      })
      if (steps.length > stepsKept) steps.shift()
      before = now
      ticks = 0
      overruns = 0
      bytesIn = 0
      bytesOut = 0
      ended += 1
      const merged = ended % stepsOfDayStep === 0 ? mergeSteps(steps.slice(-stepsOfDayStep)) : undefined
      if (merged !== undefined) day.push(merged)
      if (day.length > dayStepsKept) day.shift()
      const isChanged = merged !== undefined || isRestored
      isRestored = false
      return isChanged
    },
    restoreDay: (earlier) => {
      const [first] = day
      const older = earlier.filter(({ at }) => first === undefined || at < first.at)
      day.unshift(...older.slice(Math.max(0, older.length + day.length - dayStepsKept)))
      isRestored = older.length > 0
    },
    list: () => steps,
    listDay: () => day,
  }
}

type ReportStepsDeps = {
  readonly nodeId: string
  readonly nodeReports: NodeReports
  /** Stores a step of the day. */
  readonly keep: (step: NodeStep) => Promise<void>
  readonly log: Log
}

/**
 * Ends a step every five seconds and reports the retained steps. Every two minutes it reports and stores the steps of the day. Returns a
 * function that removes the reports. Without Redis, they are sent later.
 */
export const reportSteps = ({ nodeId, nodeReports, keep, log }: ReportStepsDeps, history: StepHistory): (() => Promise<void>) => {
  let isEnded = false
  let keptAt = ''
  const inTurn = createSerialQueue()
  const attempt = (work: () => Promise<void>): Promise<void> =>
    inTurn(work).catch((error: unknown) => log.debug({ err: error }, 'the state of this node cannot be reported'))
  const keepLast = async (): Promise<void> => {
    const last = history.listDay().at(-1)
    if (last === undefined || last.at <= keptAt) return
    keptAt = last.at
    await keep(last).catch((error: unknown) => log.debug({ err: error }, 'the metrics of the day cannot be stored'))
  }
  const stop = repeat(() => {
    const isDayStep = history.step()
    if (isDayStep) void keepLast()
    return attempt(async () => {
      if (isEnded) return
      await nodeReports.tell('metrics', nodeId, JSON.stringify(history.list()))
      if (isDayStep) await nodeReports.tell('day', nodeId, JSON.stringify(history.listDay()))
    })
  }, stepSeconds * 1000)
  return () => {
    isEnded = true
    stop()
    return attempt(async () => {
      await nodeReports.withdraw('metrics', nodeId)
      await nodeReports.withdraw('day', nodeId)
    })
  }
}
