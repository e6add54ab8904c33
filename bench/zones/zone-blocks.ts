import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createDataDir } from '../gatehouse-process.ts'
import { type BenchChild, startChild } from '../realtime/child.ts'
import { type Bench, type BenchResult, median, percentile, round } from '../result.ts'

const rounds = 15
/** Sides of the zones in columns: 25, 1,024 and 4,096 of them; each has more than 300,000 blocks. */
const sides = [5, 32, 64] as const

type Server = { readonly api: number; readonly file: number; readonly token: string; readonly zones: readonly string[] }
type Fetched = { readonly ms: number; readonly firstMs: number; readonly bytes: number }

const toServer = (ready: unknown): Server | undefined =>
  typeof ready === 'object' && ready !== null && 'zones' in ready ? (ready as Server) : undefined

const ask = async (port: number, path: string, token: string): Promise<IncomingMessage> => {
  const request = get({ host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${token}` }, agent: false })
  const [response] = await once(request, 'response')
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`)
  return response
}

/** Reads an answer without keeping it. */
const fetchOnce = async (port: number, path: string, token: string): Promise<Fetched> => {
  const before = performance.now()
  const response = await ask(port, path, token)
  let firstMs = 0
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    firstMs ||= performance.now() - before
    bytes += chunk.length
  })
  await once(response, 'end')
  return { ms: performance.now() - before, firstMs, bytes }
}

const pathOf = (zone: string): string => `/api/admin/instances/${zone}/blocks`

const common = { bench: 'zone-blocks' }

const keepBytes = async ({ api, token }: Server, zone: string, dataDir: string): Promise<void> => {
  const chunks: Buffer[] = []
  for await (const chunk of await ask(api, pathOf(zone), token)) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const lines = bytes.toString('latin1').split('\n').length - 1
  if (lines !== 300_000) throw new Error(`${lines} lines came, not 300,000`)
  await writeFile(join(dataDir, 'bytes'), bytes)
}

const measureSpeed = async (server: Server, zone: string): Promise<BenchResult[]> => {
  const ours: Fetched[] = []
  const theirs: Fetched[] = []
  for (let turn = 0; turn < rounds + 5; turn += 1) {
    const us = await fetchOnce(server.api, pathOf(zone), server.token)
    const them = await fetchOnce(server.file, '/', server.token)
    if (us.bytes !== them.bytes) throw new Error(`${us.bytes} bytes against ${them.bytes}`)
    // The first few compile what runs.
    if (turn < 5) continue
    ours.push(us)
    theirs.push(them)
  }
  const ratio = median(ours.map(({ ms }, turn) => ms / (theirs[turn]?.ms ?? 1)))
  const firstMs = median(ours.map((fetched) => fetched.firstMs))
  return [
    {
      ...common,
      figure: '300,000 blocks over loopback HTTP',
      value: round(median(ours.map(({ ms }) => ms)), 1),
      unit: 'ms',
      reference: { name: 'the same bytes piped from a file', value: round(median(theirs.map(({ ms }) => ms)), 1) },
      ratio: round(ratio),
      target: 'under 1,000 ms',
      met: median(ours.map(({ ms }) => ms)) < 1000,
    },
    {
      ...common,
      figure: 'first line, 25 columns',
      value: round(firstMs, 1),
      unit: 'ms',
      target: 'under 20 ms',
      met: firstMs < 20,
    },
  ]
}

const measureFirstLine = async ({ api, token }: Server, zone: string, columns: number): Promise<BenchResult> => {
  const times: number[] = []
  for (let turn = 0; turn < rounds; turn += 1) times.push((await fetchOnce(api, pathOf(zone), token)).firstMs)
  return { ...common, figure: `first line, ${columns} columns of whole height`, value: round(median(times), 1), unit: 'ms' }
}

type Memory = { readonly bytes: number; readonly peakBytes: number }

const askMemory = async (child: BenchChild): Promise<Memory> => {
  child.send('memory')
  return child.wait(({ bytes, peakBytes }) =>
    typeof bytes === 'number' && typeof peakBytes === 'number' ? { bytes, peakBytes } : undefined,
  )
}

/** In a process that has only listed a small zone a few times, to compile its code. */
const measureMemory = async (dataDir: string): Promise<BenchResult> => {
  const child = startChild('zones/gatehouse-server.ts', [dataDir, ...sides.map(String)])
  try {
    const { api, token, zones } = await child.wait(({ ready }) => toServer(ready))
    for (let turn = 0; turn < 10; turn += 1) await fetchOnce(api, pathOf(zones[0] ?? ''), token)
    const { bytes } = await askMemory(child)
    for (let turn = 0; turn < 5; turn += 1) await fetchOnce(api, pathOf(zones[2] ?? ''), token)
    const mebibytes = ((await askMemory(child)).peakBytes - bytes) / 2 ** 20
    return {
      ...common,
      figure: 'growth of RSS, mapped files aside, while 4,096 columns are listed',
      value: round(mebibytes, 1),
      unit: 'MiB',
      target: 'under 64 MiB',
      met: mebibytes < 64,
    }
  } finally {
    await child.stop()
  }
}

const askDelays = async (child: BenchChild): Promise<readonly number[]> => {
  child.send('delays')
  return child.wait(({ delays }) => (Array.isArray(delays) ? delays.map(Number) : undefined))
}

/** The target applies to the p99; the maximum is usually a pause of the garbage collector or of the machine. */
const measureDelay = async (child: BenchChild, { api, token }: Server, zone: string, columns: number): Promise<BenchResult[]> => {
  await askDelays(child)
  await new Promise((resolve) => setTimeout(resolve, 2000))
  const idle = await askDelays(child)
  for (let turn = 0; turn < 12; turn += 1) await Promise.all(Array.from({ length: 4 }, () => fetchOnce(api, pathOf(zone), token)))
  const busy = await askDelays(child)
  const [p99, idleP99] = [percentile(busy, 0.99), percentile(idle, 0.99)]
  const during = `delay of a tick while four listings of ${columns} columns run`
  return [
    {
      ...common,
      figure: `p99 ${during}`,
      value: round(p99, 1),
      unit: 'ms',
      reference: { name: 'idle', value: round(idleP99, 1) },
      target: 'at most 5 ms over idle',
      met: p99 - idleP99 <= 5,
    },
    {
      ...common,
      figure: `longest ${during}`,
      value: round(percentile(busy, 1), 1),
      unit: 'ms',
      reference: { name: 'idle', value: round(percentile(idle, 1), 1) },
    },
  ]
}

/**
 * Benchmarks listing a zone's blocks against piping the same bytes from a file, both by one process in turns. It also measures
 * memory and holds of the loop. It cannot show a client that reads slowly, nor gzip.
 */
export const zoneBlocks: Bench = {
  name: 'zone-blocks',
  run: async () => {
    const data = await createDataDir({ 'server.yaml': 'http: {rateLimits: {requestsPerMinutePerToken: 1000000}}\n' })
    const child = startChild('zones/gatehouse-server.ts', [data.path, ...sides.map(String)])
    try {
      const server = await child.wait(({ ready }) => toServer(ready))
      const [small = '', middle = '', large = ''] = server.zones
      await keepBytes(server, small, data.path)
      const results = [
        ...(await measureSpeed(server, small)),
        await measureFirstLine(server, middle, 1024),
        await measureFirstLine(server, large, 4096),
        ...(await measureDelay(child, server, small, 25)),
        ...(await measureDelay(child, server, large, 4096)),
      ]
      await child.stop()
      return [...results, await measureMemory(data.path)]
    } finally {
      await child.stop()
      await data.remove()
    }
  },
}
