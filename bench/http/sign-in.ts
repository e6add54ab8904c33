import { once } from 'node:events'
import { WebSocket } from 'ws'
import { createDataDir, type GatehouseProcess, signIn, startGatehouse } from '../gatehouse-process.ts'
import { startChild } from '../realtime/child.ts'
import { type Bench, percentile, round } from '../result.ts'

const seconds = 15
const concurrentSignIns = 8
const tickIntervals = 'gatehouse_realtime_tick_interval_seconds'
const email = 'bench@example.com'
const password = 'correct horse battery staple'

const config = `auth: {local: {requirePassword: true}}
http: {rateLimits: {signInPerMinutePerAccount: 1000000, signInPerMinutePerAddress: 1000000, requestsPerMinutePerAddress: 1000000, requestsPerMinutePerToken: 1000000}}
`

const claimAccount = async ({ url, claim }: GatehouseProcess): Promise<void> => {
  const response = await fetch(`${url}/auth/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ claim, email, password }),
  })
  if (response.status !== 200) throw new Error(`the claim answered ${response.status} ${await response.text()}`)
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const timesOfMe = async (url: string, token: string, until: number): Promise<number[]> => {
  const times: number[] = []
  while (performance.now() < until) {
    const startedAt = performance.now()
    const response = await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    await response.text()
    if (response.status !== 200) throw new Error(`/auth/me answered ${response.status}`)
    times.push(performance.now() - startedAt)
    await pause(10)
  }
  return times
}

const connectPlayer = async (url: string, token: string): Promise<WebSocket> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ connect: { token, protocolVersion: 1, clientName: 'bench' } }))
  await once(socket, 'message')
  return socket
}

type Bucket = { readonly bound: number; readonly count: number }

const readBuckets = async (metricsUrl: string, name: string): Promise<readonly Bucket[]> => {
  const metrics = await (await fetch(metricsUrl)).text()
  const lines = metrics.matchAll(new RegExp(`^${name}_bucket\\{[^}]*le="([^"]+)"[^}]*\\} (\\S+)$`, 'gm'))
  return [...lines].map((match) => ({ bound: Number(match[1]?.replace('+Inf', 'Infinity')), count: Number(match[2]) }))
}

/** The upper bound of the bucket with the given part of the observations between two readings of a Prometheus histogram. */
const quantileBetween = (before: readonly Bucket[], after: readonly Bucket[], part: number): number => {
  const counts = after.map(({ bound, count }, index) => ({ bound, count: count - (before[index]?.count ?? 0) }))
  const total = counts.at(-1)?.count ?? 0
  return counts.find(({ count }) => count >= total * part)?.bound ?? Number.POSITIVE_INFINITY
}

const hashAlonePerSecond = async (): Promise<number> => {
  const child = startChild('http/hash-alone.ts', ['12', String(seconds)])
  const perSecond = await child.wait((message) => (typeof message.perSecond === 'number' ? message.perSecond : undefined))
  await child.stop()
  return perSecond
}

/**
 * Benchmarks the rate of sign-ins by password in one process, with a connected player and constant requests of `/auth/me`. It
 * cannot show sign-ins in a burst: each waits for the one before.
 */
export const signInLoad: Bench = {
  name: 'sign-in',
  run: async () => {
    const alone = await hashAlonePerSecond()
    const data = await createDataDir({ 'server.yaml': config })
    const metricsPort = 20_000 + (process.pid % 10_000)
    const gatehouse = await startGatehouse('infra/local.ts', { DATA_DIR: data.path, METRICS_PORT: String(metricsPort) })
    try {
      await claimAccount(gatehouse)
      const token = await signIn(gatehouse.url, email, password)
      const player = await connectPlayer(gatehouse.url, token)
      const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
      const before = await readBuckets(metricsUrl, tickIntervals)
      const startedAt = performance.now()
      const until = startedAt + seconds * 1000
      let done = 0
      const keepSigningIn = async () => {
        while (performance.now() < until) {
          await signIn(gatehouse.url, email, password)
          done += 1
        }
      }
      const [times] = await Promise.all([
        timesOfMe(gatehouse.url, token, until),
        ...Array.from({ length: concurrentSignIns }, keepSigningIn),
      ])
      const perSecond = done / ((performance.now() - startedAt) / 1000)
      const after = await readBuckets(metricsUrl, tickIntervals)
      player.close()
      const tickP99Ms = quantileBetween(before, after, 0.99) * 1000
      const meP99Ms = percentile(times, 0.99)
      const ratio = perSecond / alone
      return [
        {
          bench: 'sign-in',
          figure: 'sign-ins by password',
          value: round(perSecond, 2),
          unit: 'sign-ins/s',
          reference: { name: 'the same workers hashing alone', value: round(alone, 2) },
          ratio: round(ratio),
          target: 'ratio at least 0.9',
          met: ratio >= 0.9,
        },
        {
          bench: 'sign-in',
          figure: 'from tick to tick while sign-ins saturate, p99 (upper bound of its bucket)',
          value: round(tickP99Ms, 1),
          unit: 'ms',
          target: 'under 55',
          met: tickP99Ms < 55,
        },
        {
          bench: 'sign-in',
          figure: '/auth/me while sign-ins saturate, p99',
          value: round(meP99Ms, 1),
          unit: 'ms',
          target: 'under 50',
          met: meP99Ms < 50,
        },
      ]
    } finally {
      await gatehouse.stop()
      await data.remove()
    }
  },
}
