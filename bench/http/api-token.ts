import autocannon from 'autocannon'
import { cpuSecondsOf } from '../cpu-time.ts'
import { createDataDir, startGatehouse } from '../gatehouse-process.ts'
import { pinTo } from '../pin.ts'
import { startBenchRedis } from '../redis-process.ts'
import { type Bench, type BenchResult, median, percentile, round } from '../result.ts'

const rounds = 10
const requestsPerRound = 2_000
const ratioMax = 1.1
const account = { email: 'bench@example.com', password: 'correct horse battery staple' }
const config = 'http: {rateLimits: {requestsPerMinutePerToken: 1000000, requestsPerMinutePerAddress: 1000000}}\n'
/** A route for every caller, and one that needs a permission. */
const paths = ['/auth/me', '/api/admin/instances'] as const

const post = async (url: string, body: object, token?: string): Promise<string> => {
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer: unknown = await response.json()
  if (typeof answer === 'object' && answer !== null && 'token' in answer && typeof answer.token === 'string') return answer.token
  throw new Error(`${url} answered ${response.status} ${JSON.stringify(answer)}`)
}

/** The processor time of the server for one request, in microseconds. */
const measure = async (server: { url: string; pid: number | undefined }, path: string, token: string): Promise<number> => {
  const before = cpuSecondsOf(server.pid)
  const { non2xx, requests } = await autocannon({
    url: server.url + path,
    connections: 16,
    amount: requestsPerRound,
    headers: { authorization: `Bearer ${token}` },
  })
  if (non2xx > 0) throw new Error(`${non2xx} answers were not 200`)
  return ((cpuSecondsOf(server.pid) - before) * 1e6) / requests.total
}

const compare = async (
  server: { url: string; pid: number | undefined },
  { path, apiToken, session, where }: { path: string; apiToken: string; session: string; where: string },
): Promise<BenchResult> => {
  const pairs: (readonly [number, number])[] = []
  for (let turn = -1; turn < rounds; turn++) {
    // The order changes each time, because the second of a pair may find the machine slower.
    const first = await measure(server, path, turn % 2 === 0 ? apiToken : session)
    const second = await measure(server, path, turn % 2 === 0 ? session : apiToken)
    if (turn >= 0) pairs.push(turn % 2 === 0 ? [first, second] : [second, first])
  }
  const ratios = pairs.map(([ours, theirs]) => ours / theirs)
  const ratio = round(median(ratios))
  const spread = `middle half of the ratios ${round(percentile(ratios, 0.25), 2)} to ${round(percentile(ratios, 0.75), 2)}`
  return {
    bench: 'api-token',
    figure: `processor time of a GET ${path} with an API token, ${where}; ${spread}`,
    unit: 'µs',
    value: round(median(pairs.map(([ours]) => ours)), 1),
    reference: { name: 'the token of a sign-in', value: round(median(pairs.map(([, theirs]) => theirs)), 1) },
    ratio,
    target: `ratio at most ${ratioMax}`,
    met: ratio <= ratioMax,
  }
}

/**
 * Benchmarks requests with an API token against requests with the token of a sign-in, in pairs at one server. It cannot show the cost
 * of many API tokens: all requests have one, which the server reads once a second. Both tokens get the same answers. With Redis, each
 * request with the token of a sign-in sends one GET, and a request with the API token sends none.
 */
export const apiToken: Bench = {
  name: 'api-token',
  run: async () => {
    const redis = await startBenchRedis()
    const results: BenchResult[] = []
    try {
      for (const [where, environment] of [
        ['embedded store', {}],
        ['Redis', { REDIS_URL: redis.url }],
      ] as const) {
        const data = await createDataDir({ 'server.yaml': config })
        const server = await startGatehouse('infra/local.ts', { DATA_DIR: data.path, ...environment })
        pinTo(0, server.pid)
        pinTo(1, process.pid)
        try {
          const claimed = await post(`${server.url}/auth/claim`, { claim: server.claim, ...account })
          const apiToken = await post(`${server.url}/auth/tokens`, { name: 'bench', permissions: ['*'] }, claimed)
          for (const path of paths) {
            // The token of a sign-in lives ten minutes, which both paths may exceed on a busy machine.
            const session = await post(`${server.url}/auth/login`, account)
            results.push(await compare(server, { path, apiToken, session, where }))
          }
        } finally {
          await server.stop()
          await data.remove()
        }
      }
      return results
    } finally {
      await redis.stop()
    }
  },
}
