import { setTimeout as pause } from 'node:timers/promises'
import type { House } from '../house/house.ts'
import { lagMsOf, type Metrics, mebibytes, quantileBetween, readMetrics, riseOf } from '../house/metrics.ts'
import { readOwnBytes } from '../house/own-memory.ts'
import { createRandom } from '../random.ts'
import { createWalker, type Walker } from './walker.ts'

/** Measurements by honest clients over some seconds, and metrics of the server. */
export type Seen = {
  /** Frames of movement per walker and second, on average. */
  readonly framesPerSecond: number
  readonly pingP50Ms: number
  readonly pingP99Ms: number
  readonly healthzP99Ms: number
  readonly healthzMaxMs: number
  readonly healthzFailed: number
  readonly lossesOfWalkers: number
  readonly tickHertz: number
  readonly tickP99Ms: number
  /** The longest hold of a loop. */
  readonly lagMaxMs: number
  readonly rssMiB: number
  /** Resident memory without mapped files, whose pages the system reclaims when needed. */
  readonly ownMiB: number
  readonly heapMiB: number
  readonly handles: number
}

export type Watch = {
  readonly walkers: readonly Walker[]
  /** Measures for the given time. */
  during(milliseconds: number): Promise<Seen>
  close(): Promise<void>
}

const stepMs = 100
const healthzEveryMs = 200
const tick = 'gatehouse_realtime_tick_seconds'

export const quantile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) / 10
}

const askHealth = async (url: string): Promise<number | undefined> => {
  const askedMs = performance.now()
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(20_000) })
    await answer.arrayBuffer()
    return answer.ok ? performance.now() - askedMs : undefined
  } catch {
    return undefined
  }
}

const largest = (all: readonly (Metrics | undefined)[], name: string): number =>
  Math.max(0, ...all.map((metrics) => metrics?.get(name) ?? 0))

/** Connects `count` walkers to a started server, and begins to measure. */
export const startWatch = async (house: House, count: number, seed: number): Promise<Watch> => {
  const walkers = Array.from({ length: count }, (_, i) => {
    const email = `honest-${i}@example.com`
    return createWalker(email, house.url, () => house.stage.signIn(house.url(), email), createRandom(seed, email))
  })
  for (const walker of walkers) await walker.enter()
  const timer = setInterval(() => {
    for (const walker of walkers) walker.step()
  }, stepMs)
  const healthTimes: number[] = []
  let healthzFailed = 0
  const healthTimer = setInterval(() => {
    void askHealth(house.url()).then((ms) => {
      if (ms === undefined) healthzFailed += 1
      else healthTimes.push(ms)
    })
  }, healthzEveryMs)
  const readAll = () => Promise.all(house.processes().map(({ metricsPort }) => readMetrics(metricsPort, 30_000)))

  return {
    walkers,
    during: async (milliseconds) => {
      const before = await readAll()
      for (const walker of walkers) {
        walker.takeFrames()
        walker.takeLatencies()
        walker.takeLosses()
      }
      healthTimes.length = 0
      healthzFailed = 0
      const beganMs = performance.now()
      await pause(milliseconds)
      const seconds = (performance.now() - beganMs) / 1000
      const after = await readAll()
      const tickSeconds = (performance.now() - beganMs) / 1000
      const node = after.findIndex((metrics) => metrics?.has(`${tick}_count`) === true)
      const [from, to] = [before[node] ?? new Map(), after[node] ?? new Map()]
      const latencies = walkers.flatMap((walker) => walker.takeLatencies())
      return {
        framesPerSecond: Math.round((walkers.reduce((sum, walker) => sum + walker.takeFrames(), 0) / count / seconds) * 10) / 10,
        pingP50Ms: quantile(latencies, 0.5),
        pingP99Ms: quantile(latencies, 0.99),
        healthzP99Ms: quantile(healthTimes, 0.99),
        healthzMaxMs: quantile(healthTimes, 1),
        healthzFailed,
        lossesOfWalkers: walkers.reduce((sum, walker) => sum + walker.takeLosses(), 0),
        tickHertz: Math.round((riseOf(`${tick}_count`, from, to) / tickSeconds) * 10) / 10,
        tickP99Ms: quantileBetween(tick, 0.99, from, to) * 1000,
        lagMaxMs: Math.round(Math.max(...after.map(lagMsOf))),
        rssMiB: mebibytes(largest(after, 'process_resident_memory_bytes')),
        ownMiB: mebibytes(Math.max(...(await Promise.all(house.processes().map(({ server }) => readOwnBytes(server.pid)))))),
        heapMiB: mebibytes(largest(after, 'nodejs_heap_size_used_bytes')),
        handles: largest(after, 'nodejs_active_handles_total'),
      }
    },
    close: async () => {
      clearInterval(timer)
      clearInterval(healthTimer)
      await Promise.all(walkers.map((walker) => walker.leave()))
    },
  }
}
