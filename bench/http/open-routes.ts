import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import { WebSocket } from 'ws'
import { allRoutes } from '../../functions/all-routes.ts'
import { connect, type Session, signIn } from '../../sdk/client.ts'
import { healthPaths } from '../../shared/kernel/health-paths.ts'
import { cpuSecondsOf } from '../cpu-time.ts'
import { createDataDir, startGatehouse } from '../gatehouse-process.ts'
import { type Bench, type BenchResult, median, round } from '../result.ts'

const bench = 'open-routes'
const requestsOfRoute = 400
const [atOnce, bursts] = [500, 3]
const pingEveryMs = 25
const [costMsMax, delayMsMax] = [1, 250]

const config = `auth: { local: { bcryptCost: 10 } }
http: { rateLimits: { signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000 } }
`

/** Every public GET, including refused and unknown ones. Sign-ins hash passwords in threads, and have their own bench. */
const listPaths = (pageFile: string): readonly string[] => [
  ...allRoutes
    .filter(({ method, permission, path }) => method === 'get' && permission === 'none' && !healthPaths.has(path))
    .map(({ path }) => path.replace(':slug', 'not-found').replace(':file', pageFile)),
  '/auth/me',
  '/nowhere',
]

/** The longest script of the console. */
const findPageFile = async (url: string): Promise<string> => {
  const html = await (await fetch(`${url}/console`)).text()
  const names = Array.from(html.matchAll(/pages\/([\w.-]+\.js)/g), ([, name = '']) => name)
  const sizes = await Promise.all(
    names.map(async (name) => ({ name, bytes: (await (await fetch(`${url}/pages/${name}`)).arrayBuffer()).byteLength })),
  )
  return sizes.toSorted((one, other) => other.bytes - one.bytes)[0]?.name ?? 'none.js'
}

const measureCost = async (url: string, pid: number | undefined, path: string): Promise<BenchResult> => {
  const load = (amount: number) => autocannon({ url: url + path, connections: 10, amount, headers: { connection: 'keep-alive' } })
  await load(50)
  const before = cpuSecondsOf(pid)
  await load(requestsOfRoute)
  const costMs = ((cpuSecondsOf(pid) - before) * 1000) / requestsOfRoute
  return {
    bench,
    figure: `processor time of GET ${path.replace(/pages\/.*/, 'pages/:file')}, not compressed`,
    value: round(costMs),
    unit: 'ms',
    target: `at most ${costMsMax}`,
    met: costMs <= costMsMax,
  }
}

/** The longest time to a pong of a player while 500 requests arrive at once. */
const measureWait = async (session: Session, address: string): Promise<number> => {
  let [longestMs, isOver] = [0, false]
  const watch = (async () => {
    while (!isOver) {
      const startedMs = performance.now()
      await session.ping()
      longestMs = Math.max(longestMs, performance.now() - startedMs)
      await pause(pingEveryMs)
    }
  })()
  // In a thread: reading so much would hold up the pongs here.
  await autocannon({ url: address, connections: atOnce, amount: atOnce, workers: 1 })
  isOver = true
  await watch
  return longestMs
}

const measureDelay = async (url: string, path: string): Promise<BenchResult> => {
  const me = await signIn({ url, email: 'player@example.com', remember: false })
  const session = await connect(me, { WebSocket, clientName: bench })
  const waits: number[] = []
  for (let turn = 0; turn < bursts; turn += 1) waits.push(await measureWait(session, url + path))
  await session.close()
  me.close()
  const waitMs = median(waits)
  return {
    bench,
    figure: `longest wait for a pong while ${atOnce} GET ${path} arrive at once, median of ${bursts} bursts`,
    value: round(waitMs, 1),
    unit: 'ms',
    target: `at most ${delayMsMax}`,
    met: waitMs <= delayMsMax,
  }
}

/**
 * Benchmarks the cost of routes without a credential, and how long many requests at once delay a player. It fails above 1 ms and
 * 250 ms. It cannot show requests from many addresses over a network.
 */
export const openRoutes: Bench = {
  name: bench,
  run: async () => {
    const data = await createDataDir({ 'server.yaml': config })
    const server = await startGatehouse('infra/local.ts', { DATA_DIR: data.path })
    try {
      const results: BenchResult[] = []
      for (const path of listPaths(await findPageFile(server.url))) results.push(await measureCost(server.url, server.pid, path))
      for (const path of ['/api/docs', '/api/openapi.json', '/console', '/problems/not-found'])
        results.push(await measureDelay(server.url, path))
      return results
    } finally {
      await server.stop()
      await data.remove()
    }
  },
}
