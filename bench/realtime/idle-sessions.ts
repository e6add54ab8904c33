import { execFileSync } from 'node:child_process'
import { findFreePort } from '../../test/support/processes/free-port.ts'
import { createDataDir, startGatehouse } from '../gatehouse-process.ts'
import { startBenchRedis } from '../redis-process.ts'
import { type Bench, type BenchResult, round } from '../result.ts'
import { startChild } from './child.ts'
import { furnishIdleHouse } from './idle-house.ts'
import type { IdlePlan } from './idle-load.ts'

const wanted = 20_000
/** Files of the node for data, Redis, and listening sockets. */
const spareFiles = 150
const loaders = 4
const joinsPerSecond = 320
const sideBlocks = 2400
const settleMs = 20_000
const measuredMs = 15_000

const config = `http: {rateLimits: {signInPerMinutePerAccount: 1000000, signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000}}
realtime: {maxSessions: 30000, viewRadius: 4, waitingPerAddress: 1000}
`
const ground = 'generator: flat-1\nflat: { layers: [{ block: stone, height: 63 }, { block: grass, height: 1 }] }\n'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A socket uses a file; Node itself raises the soft limit to this. */
const readFilesMax = (): number => {
  const text = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
  return text === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(text)
}

const readMetrics = async (port: number) => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const read = (name: string) =>
    Number(new RegExp(`^${name.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  const intervals = 'gatehouse_realtime_tick_interval_seconds'
  return {
    atMs: performance.now(),
    rssBytes: read('process_resident_memory_bytes'),
    cpuSeconds: read('process_cpu_seconds_total'),
    sessions: read('gatehouse_realtime_sessions_connected'),
    columns: read('gatehouse_realtime_columns_loaded'),
    ticks: read(`${intervals}_count`),
    within100ms: read(`${intervals}_bucket{le="0.1"}`),
  }
}

type Metrics = Awaited<ReturnType<typeof readMetrics>>

const toResults = (sessions: number, empty: Metrics, full: Metrics, end: Metrics): BenchResult[] => {
  const [bench, MiB] = ['idle-sessions', 2 ** 20]
  const rssMiB = end.rssBytes / MiB
  const perSession = (end.rssBytes - empty.rssBytes) / sessions
  const seconds = (end.atMs - full.atMs) / 1000
  const ticks = end.ticks - full.ticks
  const whole = (empty.rssBytes + perSession * wanted) / MiB
  const figure = (name: string, value: number, unit: string, digits = 1): BenchResult => ({
    bench,
    figure: name,
    value: round(value, digits),
    unit,
  })
  return [
    { ...figure('sessions connected', end.sessions, 'sessions', 0), target: `${sessions} held`, met: end.sessions === sessions },
    figure('RSS without anybody', empty.rssBytes / MiB, 'MiB'),
    figure(`RSS with ${sessions}`, rssMiB, 'MiB'),
    figure('of each session, with its share of the columns in memory', perSession, 'bytes', 0),
    { ...figure(`RSS for ${wanted}`, whole, 'MiB'), target: 'under 1024', met: whole < 1024 },
    figure('columns in memory', end.columns, 'columns', 0),
    { ...figure('ticks', ticks / seconds, 'Hz', 2), target: 'at least 19.5', met: ticks / seconds >= 19.5 },
    figure('ticks that began later than 100 ms after the one before', ticks - (end.within100ms - full.within100ms), 'ticks', 0),
    figure('CPU', ((end.cpuSeconds - full.cpuSeconds) / seconds) * 100, '% of a core'),
  ]
}

/**
 * Benchmarks idle players on a real node, evenly spread on a square of 2,400 blocks, with a view of 4 chunks. It cannot show
 * players who move: `growth` does.
 */
export const idleSessions: Bench = {
  name: 'idle-sessions',
  run: async () => {
    const players = Math.min(wanted, readFilesMax() - spareFiles)
    if (players < wanted)
      process.stderr.write(`idle-sessions: a process may open ${players + spareFiles} files here: ${players} sessions\n`)
    const redis = await startBenchRedis()
    const data = await createDataDir({ 'server.yaml': config, 'worldgen.yaml': ground })
    const children: ReturnType<typeof startChild>[] = []
    const tokensPath = await furnishIdleHouse({ dataDir: data.path, redisUrl: redis.url, players, sideBlocks })
    const metricsPort = await findFreePort()
    const node = await startGatehouse('realtime/main.ts', {
      REDIS_URL: redis.url,
      DATA_DIR: data.path,
      METRICS_PORT: String(metricsPort),
      NODE_OPTIONS: '--max-semi-space-size=16',
    })
    try {
      const empty = await readMetrics(metricsPort)
      const share = Math.ceil(players / loaders)
      for (let i = 0; i < loaders; i += 1) {
        const first = i * share
        const plan: IdlePlan = {
          port: Number(new URL(node.url).port),
          localAddress: `127.0.0.${i + 2}`,
          tokensPath,
          first,
          players: Math.min(share, players - first),
          joinsPerSecond: joinsPerSecond / loaders,
        }
        children.push(startChild('realtime/idle-load.ts', [JSON.stringify(plan)]))
      }
      await Promise.all(children.map((child) => child.wait((message) => (message.ready === true ? true : undefined))))
      for (const child of children) child.send('connect')
      const isIn = (message: Record<string, unknown>) => (typeof message.connected === 'number' ? true : undefined)
      await Promise.all(children.map((child) => child.wait(isIn)))
      await pause(settleMs)
      const full = await readMetrics(metricsPort)
      await pause(measuredMs)
      return toResults(players, empty, full, await readMetrics(metricsPort))
    } finally {
      await Promise.all(children.map((child) => child.stop()))
      await node.stop()
      await redis.stop()
      await data.remove()
    }
  },
}
