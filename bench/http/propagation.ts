import { once } from 'node:events'
import { WebSocket } from 'ws'
import { createDataDir, signIn, startGatehouse } from '../gatehouse-process.ts'
import { startBenchRedis } from '../redis-process.ts'
import { type Bench, percentile, round } from '../result.ts'

const repetitions = 200

const limits =
  'http: {rateLimits: {signInPerMinutePerAccount: 1000000, signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000}}\n'

/** The milliseconds from the request of a logout to the end of the live session in the other process. */
const measureLogout = async (httpUrl: string, email: string): Promise<number> => {
  const token = await signIn(httpUrl, email)
  const socket = new WebSocket(`${httpUrl.replace('http', 'ws')}/realtime`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ connect: { token, protocolVersion: 1, clientName: 'bench' } }))
  await once(socket, 'message')
  const closed = once(socket, 'close')
  const startedAt = performance.now()
  const response = await fetch(`${httpUrl}/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  if (response.status !== 204) throw new Error(`logout answered ${response.status}`)
  const [code] = await closed
  if (code !== 4003) throw new Error(`the session closed with ${code}`)
  return performance.now() - startedAt
}

/**
 * Benchmarks a logout over HTTP in one process until the end of the live session in another, both on one Redis. It cannot show a
 * remote Redis.
 */
export const propagation: Bench = {
  name: 'propagation',
  run: async () => {
    const redis = await startBenchRedis()
    const data = await createDataDir({ 'server.yaml': limits })
    const environment = { REDIS_URL: redis.url, DATA_DIR: data.path }
    const realtime = await startGatehouse('realtime/main.ts', environment)
    const http = await startGatehouse('infra/http.ts', { ...environment, REALTIME_URL: realtime.url })
    try {
      const times: number[] = []
      for (let turn = 0; turn < repetitions; turn++) times.push(await measureLogout(http.url, `player${turn}@example.com`))
      const p99 = percentile(times, 0.99)
      return [
        {
          bench: 'propagation',
          figure: 'logout to closed session in another process, p50',
          value: round(percentile(times, 0.5), 1),
          unit: 'ms',
        },
        {
          bench: 'propagation',
          figure: 'logout to closed session in another process, p99',
          value: round(p99, 1),
          unit: 'ms',
          target: 'under 1000',
          met: p99 < 1000,
        },
      ]
    } finally {
      await http.stop()
      await realtime.stop()
      await redis.stop()
      await data.remove()
    }
  },
}
