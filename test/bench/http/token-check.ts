import { createHash, randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { Redis } from 'ioredis'
import { createDataDir, signIn, startGatehouse } from '../gatehouse-process.ts'
import { startChild } from '../realtime/child.ts'
import { startBenchRedis } from '../redis-process.ts'
import { type Bench, median, round } from '../result.ts'

const rounds = 5
const secondsPerRound = 3

const requestsPerSecond = async (url: string, token: string): Promise<number> => {
  const result = await autocannon({
    url: `${url}/auth/me`,
    connections: 32,
    duration: secondsPerRound,
    headers: { authorization: `Bearer ${token}` },
  })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 200`)
  return result.requests.average
}

/** `/auth/me` on Redis against a bare express route with the same one GET, in turns. */
export const tokenCheck: Bench = {
  name: 'token-check',
  run: async () => {
    const redis = await startBenchRedis()
    const data = await createDataDir({ 'server.yaml': 'http: {rateLimits: {requestsPerMinutePerToken: 1000000}}\n' })
    const gatehouse = await startGatehouse('infra/http.ts', { REDIS_URL: redis.url, DATA_DIR: data.path })
    const socket = redis.url.slice('unix://'.length)
    const bare = startChild('../http/bare-express.ts', [socket])
    const port = await bare.wait((message) => (typeof message.ready === 'number' ? message.ready : undefined))
    const client = new Redis(socket)
    const bareToken = randomUUID()
    await client.set(
      `bare:${createHash('sha256').update(bareToken).digest('hex')}`,
      JSON.stringify({ playerId: randomUUID(), displayName: 'bench' }),
    )
    try {
      const token = await signIn(gatehouse.url, 'bench@example.com')
      const ours: number[] = []
      const theirs: number[] = []
      for (let turn = 0; turn <= rounds; turn++) {
        const us = await requestsPerSecond(gatehouse.url, token)
        const them = await requestsPerSecond(`http://127.0.0.1:${port}`, bareToken)
        if (turn > 0) {
          ours.push(us)
          theirs.push(them)
        }
      }
      const ratio = median(ours.map((value, turn) => value / (theirs[turn] ?? 1)))
      return [
        {
          bench: 'token-check',
          figure: 'GET /auth/me with Redis',
          value: round(median(ours), 0),
          unit: 'requests/s',
          reference: { name: 'bare express with one Redis GET', value: round(median(theirs), 0) },
          ratio: round(ratio),
          target: 'ratio at least 0.8',
          met: ratio >= 0.8,
        },
      ]
    } finally {
      client.disconnect()
      await bare.stop()
      await gatehouse.stop()
      await redis.stop()
      await data.remove()
    }
  },
}
