import { createHash, randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { Redis } from 'ioredis'
import { cpuSecondsOf } from '../cpu-time.ts'
import { createDataDir, signIn, startGatehouse } from '../gatehouse-process.ts'
import { canPin, pinTo } from '../pin.ts'
import { startChild } from '../realtime/child.ts'
import { startBenchRedis } from '../redis-process.ts'
import { type Bench, type BenchResult, median, round } from '../result.ts'

const rounds = 5
const secondsPerRound = 2
const [steadyPerSecond, steadySeconds, p99MsMax] = [2000, 10, 5]
/** The cores of the server and of the load: on a shared core the load would change the measurement. */
const [serverCore, loadCore] = [0, 1]

type Target = { readonly url: string; readonly token: string; readonly pid: number | undefined }
type Measured = { readonly perSecond: number; readonly cpuMicroseconds: number }

const measure = async ({ url, token, pid }: Target): Promise<Measured> => {
  const cpuBefore = cpuSecondsOf(pid)
  const { requests, non2xx } = await autocannon({
    url: `${url}/auth/me`,
    connections: 32,
    duration: secondsPerRound,
    headers: { authorization: `Bearer ${token}` },
  })
  if (non2xx > 0) throw new Error(`${non2xx} answers were not 200`)
  return { perSecond: requests.average, cpuMicroseconds: ((cpuSecondsOf(pid) - cpuBefore) * 1e6) / requests.total }
}

const startBare = async (script: string, socket: string, token: string) => {
  const child = startChild(script, [socket])
  const port = await child.wait((message) => (typeof message.ready === 'number' ? message.ready : undefined))
  pinTo(serverCore, child.pid)
  return { url: `http://127.0.0.1:${port}`, token, pid: child.pid, stop: child.stop }
}

const keepBareToken = async (socket: string): Promise<string> => {
  const client = new Redis(socket)
  const token = randomUUID()
  const key = `bare:${createHash('sha256').update(token).digest('hex')}`
  await client.set(key, JSON.stringify({ playerId: randomUUID(), displayName: 'bench' }))
  client.disconnect()
  return token
}

type Reference = { readonly name: string; readonly theirs: readonly Measured[] }

const where = canPin() ? 'the load on a core of its own' : 'the load on the same cores: it takes from both'

/**
 * Both ratios show how much more the reference costs. The ratio of processor time is stable while other processes use the
 * machine.
 */
const compare = (ours: readonly Measured[], { name, theirs }: Reference): readonly BenchResult[] => {
  const figures = [
    { key: 'perSecond', figure: `GET /auth/me with Redis, ${where}`, unit: 'requests/s', digits: 0 },
    { key: 'cpuMicroseconds', figure: 'processor time of a GET /auth/me with Redis', unit: 'µs', digits: 1 },
  ] as const
  return figures.map(({ key, figure, unit, digits }) => {
    const quotients = ours.map((one, turn) => one[key] / (theirs[turn]?.[key] ?? Number.NaN))
    return {
      bench: 'token-check',
      figure,
      unit,
      value: round(median(ours.map((one) => one[key])), digits),
      reference: { name, value: round(median(theirs.map((one) => one[key])), digits) },
      ratio: round(median(key === 'perSecond' ? quotients : quotients.map((quotient) => 1 / quotient))),
    }
  })
}

/** Latencies count from the scheduled time of a request, so that a stall counts for all requests that it delays. */
const measureLatency = async ({ url, token }: Target): Promise<BenchResult> => {
  const { latency, requests, non2xx } = await autocannon({
    url: `${url}/auth/me`,
    connections: 32,
    overallRate: steadyPerSecond,
    duration: steadySeconds,
    headers: { authorization: `Bearer ${token}` },
  })
  if (non2xx > 0) throw new Error(`${non2xx} answers were not 200`)
  return {
    bench: 'token-check',
    figure: `99th percentile of a GET /auth/me at ${steadyPerSecond} requests a second, of which ${round(requests.average, 0)} were sent`,
    unit: 'ms',
    value: latency.p99,
    target: `under ${p99MsMax}`,
    met: latency.p99 < p99MsMax,
  }
}

/**
 * Benchmarks `/auth/me` on Redis against the same GET by bare Node and by express, in turns, and its latency at a steady rate.
 * Every server runs on the core of Redis. It cannot show the cost of many sign-ins: all requests have one token.
 */
export const tokenCheck: Bench = {
  name: 'token-check',
  run: async () => {
    const redis = await startBenchRedis()
    const data = await createDataDir({ 'server.yaml': 'http: {rateLimits: {requestsPerMinutePerToken: 1000000}}\n' })
    const gatehouse = await startGatehouse('infra/http.ts', { REDIS_URL: redis.url, DATA_DIR: data.path })
    const socket = redis.url.slice('unix://'.length)
    const bareToken = await keepBareToken(socket)
    const node = await startBare('http/bare-node.ts', socket, bareToken)
    const express = await startBare('http/bare-express.ts', socket, bareToken)
    for (const pid of [redis.pid, gatehouse.pid]) pinTo(serverCore, pid)
    pinTo(loadCore, process.pid)
    try {
      const us = { ...gatehouse, token: await signIn(gatehouse.url, 'bench@example.com') }
      const measured: { readonly ours: Measured; readonly ofNode: Measured; readonly ofExpress: Measured }[] = []
      for (let turn = 0; turn <= rounds; turn++) {
        const row = { ours: await measure(us), ofNode: await measure(node), ofExpress: await measure(express) }
        if (turn > 0) measured.push(row)
      }
      const ours = measured.map((row) => row.ours)
      const ofNode = { name: 'bare Node with one Redis GET', theirs: measured.map((row) => row.ofNode) }
      const ofExpress = { name: 'bare express with one Redis GET', theirs: measured.map((row) => row.ofExpress) }
      return [...compare(ours, ofNode), ...compare(ours, ofExpress), await measureLatency(us)]
    } finally {
      await node.stop()
      await express.stop()
      await gatehouse.stop()
      await redis.stop()
      await data.remove()
    }
  },
}
