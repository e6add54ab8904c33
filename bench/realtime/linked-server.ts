import { noRealtimeMetrics } from '../../realtime/metrics/realtime-metrics.ts'
import { startNode } from '../../realtime/node/node.ts'
import { createLog } from '../../shared/kernel/log.ts'
import { parseEnvironment } from '../../shared/platform/process/environment.ts'
import { readTenure } from '../../shared/platform/process/lease-holder.ts'
import { openServices } from '../../shared/services/services.ts'
import { percentile } from '../result.ts'

/** The first argument of a node, as JSON. */
export type LinkedServerPlan = {
  readonly redisUrl: string
  readonly dataDir: string
  readonly worldName: string
  readonly players: number
}

/** The report for the time between `begin` and `end`. */
export type LinkedServerMeasure = {
  readonly ticks: number
  readonly tickP50Ms: number
  readonly tickP99Ms: number
  /** Ticks that took longer than their interval. */
  readonly overruns: number
  /** Ticks that started more than half an interval late. */
  readonly lateTicks: number
  readonly cpuMs: number
}

const plan: LinkedServerPlan = JSON.parse(process.argv[2] ?? '{}')
const stepMs = 50
let durations: number[] = []
let intervals: number[] = []
let cpu = process.cpuUsage()

const environment = parseEnvironment(
  { DATA_DIR: plan.dataDir, REDIS_URL: plan.redisUrl, GAME_WORLD_NAME: plan.worldName },
  'realtime',
)
const services = await openServices(environment, createLog('warn', plan.worldName))
const node = await startNode(services, {
  tenure: await readTenure(environment),
  baseUrl: environment.baseUrl,
  serverVersion: 'bench',
  metrics: {
    ...noRealtimeMetrics,
    observeTick: (seconds, sincePreviousSeconds) => {
      durations.push(seconds * 1000)
      intervals.push(sincePreviousSeconds * 1000)
    },
  },
})

const signInPlayer = async (index: number): Promise<string> => {
  const { playerId } = await services.accounts.signUp(`${plan.worldName}-${index}@example.com`, 'bench')
  return services.tokens.issue({ playerId, verified: false, signInId: services.ids.uuid(), signedInAt: Date.now() })
}

const end = (): LinkedServerMeasure => {
  const { user, system } = process.cpuUsage(cpu)
  return {
    ticks: durations.length,
    tickP50Ms: percentile(durations, 0.5),
    tickP99Ms: percentile(durations, 0.99),
    overruns: durations.filter((took) => took > stepMs).length,
    lateTicks: intervals.filter((interval) => interval > 1.5 * stepMs).length,
    cpuMs: (user + system) / 1000,
  }
}

process.on('message', (message) => {
  if (message === 'begin') {
    durations = []
    intervals = []
    cpu = process.cpuUsage()
  }
  if (message === 'end') process.send?.({ measure: end() })
})
process.on('disconnect', () => process.exit(0))

const tokens = await Promise.all(Array.from({ length: plan.players }, (_, index) => signInPlayer(index)))
process.send?.({ ready: await node.listen(0, '127.0.0.1'), tokens })
