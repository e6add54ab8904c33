import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Crowd, type CrowdPlayer, gatherCrowd } from '../../test/e2e/support/crowd.ts'
import { createStage, quickConfig, type Server } from '../../test/e2e/support/stage.ts'
import { startBenchRedis } from '../redis-process.ts'
import { type Bench, type BenchResult, median, percentile } from '../result.ts'

const playersCount = 100
const rounds = 3
const allBackMsMax = 2000
const lookEveryMs = 5
const givenUpMs = 60_000

/** Keeps every core of the machine busy until the returned function is called. */
const startBurners = (): (() => Promise<void>) => {
  const burners = Array.from({ length: availableParallelism() }, () => new Worker('for (;;);', { eval: true }))
  return async () => {
    await Promise.all(burners.map((burner) => burner.terminate()))
  }
}

/** Stops a node; returns the time at which each player of the crowd was connected again, in milliseconds. */
const handOver = async (crowd: Crowd, from: Server): Promise<readonly number[]> => {
  const known = new Map(crowd.players.map((player) => [player, player.welcomes().length]))
  const isBack = (player: CrowdPlayer): boolean => player.isIn() && player.welcomes().length > (known.get(player) ?? 0)
  const backMs: number[] = []
  const missing = new Set(crowd.players)
  const startedMs = performance.now()
  from.signal('SIGTERM')
  while (missing.size > 0) {
    const elapsedMs = performance.now() - startedMs
    if (elapsedMs > givenUpMs) throw new Error(`${missing.size} of ${playersCount} did not come back`)
    for (const player of missing)
      if (isBack(player)) {
        missing.delete(player)
        backMs.push(elapsedMs)
      }
    await pause(lookEveryMs)
  }
  await from.ended
  return backMs
}

type Round = { readonly first: number; readonly half: number; readonly most: number; readonly all: number }

const summarize = (backMs: readonly number[]): Round => ({
  first: Math.min(...backMs),
  half: percentile(backMs, 0.49),
  most: percentile(backMs, 0.98),
  all: Math.max(...backMs),
})

const measureRounds = async (crowd: Crowd, first: Server, startNode: () => Promise<Server>) => {
  let node = first
  const measure = async (around: () => () => Promise<void>): Promise<Round> => {
    const next = await startNode()
    const stop = around()
    await pause(1000)
    try {
      return summarize(await handOver(crowd, node))
    } finally {
      await stop()
      node = next
    }
  }
  const quiet: Round[] = []
  const busy: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    quiet.push(await measure(() => async () => {}))
    busy.push(await measure(startBurners))
  }
  return { quiet, busy }
}

const reportOf = ({ quiet, busy }: Awaited<ReturnType<typeof measureRounds>>): readonly BenchResult[] =>
  (
    [
      ['the first is back after, median of three hand-overs', 'first', median],
      ['half of 100 players are back after, median of three hand-overs', 'half', median],
      ['99 of 100 are back after, median of three', 'most', median],
      ['all are back after, the slowest of three', 'all', (values: readonly number[]) => Math.max(...values)],
    ] as const
  ).map(([figure, key, pick]) => {
    const value = Math.round(pick(busy.map((round) => round[key])))
    const reference = { name: 'without the burners', value: Math.round(pick(quiet.map((round) => round[key]))) }
    const target = key === 'all' && { target: `at most ${allBackMsMax}`, met: value <= allBackMsMax }
    return { bench: 'hand-over-busy', figure, value, unit: 'ms', reference, ...target }
  })

/**
 * Benchmarks how long 100 players are away when their node stops and a standby takes over, on a real Redis. Each core of the
 * machine also has a burner. It cannot show separate machines for nodes and players: the crowd shares the cores, and waits for
 * them too.
 */
export const handOverBusy: Bench = {
  name: 'hand-over-busy',
  run: async () => {
    const stage = createStage()
    const redis = await startBenchRedis()
    let crowd: Crowd | undefined
    try {
      const dataDir = await stage.createDataDir(`${quickConfig}realtime: { viewRadius: 2, waitingPerAddress: 1000 }\n`)
      const variables = { DATA_DIR: dataDir, REDIS_URL: redis.url, WORLD_STANDBY: 'true' }
      const http = await stage.start(variables, 'infra/http.ts')
      const startNode = () => stage.start(variables, 'realtime/main.ts')
      const first = await startNode()
      crowd = await gatherCrowd(playersCount, { httpUrl: http.url, nodeUrl: first.url, findUrl: () => first.url })
      await crowd.areIn(1)
      return reportOf(await measureRounds(crowd, first, startNode))
    } finally {
      crowd?.leave()
      await stage.close()
      await redis.stop()
    }
  },
}
