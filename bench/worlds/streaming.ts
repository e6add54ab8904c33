import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStreamingClient, type StreamingClient } from '../../test/support/realtime/streaming-client.ts'
import { type BenchChild, startChild } from '../realtime/child.ts'
import { type Bench, type BenchResult, round } from '../result.ts'

/** With a view radius of 8 columns to each side. */
const columnsInView = 17 ** 2

const together = 5
const flyers = 20
const flightMs = 10_000
const movesPerSecond = 20

type Server = BenchChild & { readonly port: number; readonly tokens: readonly string[] }

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const startServer = async (dataDir: string, players: number): Promise<Server> => {
  const child = startChild('worlds/streaming-server.ts', [dataDir, String(players)])
  const { port, tokens } = await child.wait((message) =>
    typeof message.ready === 'number'
      ? { port: message.ready, tokens: Array.isArray(message.tokens) ? message.tokens.map(String) : [] }
      : undefined,
  )
  return { ...child, port, tokens }
}

const readNumber = (name: string) => (message: Record<string, unknown>) => {
  const value = message[name]
  return typeof value === 'number' ? value : undefined
}

const countEncoded = (server: Server): Promise<number> => {
  server.send('stats')
  return server.wait(({ stats }) =>
    typeof stats === 'object' && stats !== null && 'encoded' in stats && typeof stats.encoded === 'number'
      ? stats.encoded
      : undefined,
  )
}

const openClient = ({ port, tokens }: Server, index: number): StreamingClient => openStreamingClient(port, tokens[index] ?? '')

const toJoin = (figure: string, milliseconds: number): BenchResult => ({
  bench: 'streaming',
  figure,
  value: round(milliseconds, 0),
  unit: 'ms',
  target: 'at most 1500',
  met: milliseconds <= 1500,
})

/** One player joins on new land, and then five together. */
const measureNewLand = async (dataDir: string): Promise<readonly BenchResult[]> => {
  const server = await startServer(dataDir, 1 + together)
  try {
    const first = openClient(server, 0)
    const newLandMs = await first.columns(columnsInView)
    const { columns, bytes } = first.received()
    const others = Array.from({ length: together }, (_, index) => openClient(server, index + 1))
    const times = await Promise.all(others.map((client) => client.columns(columnsInView)))
    const encoded = await countEncoded(server)
    for (const client of [first, ...others]) client.close()
    server.send('columns')
    const columnsMiB = await server.wait(readNumber('columnsMiB'))
    server.send('close')
    await pause(500)
    return [
      toJoin('all 289 columns of a joining player, land never seen before', newLandMs),
      toJoin('all 289 columns of each of five who join together, in memory', Math.max(...times)),
      { bench: 'streaming', figure: 'bytes of a column', value: round(bytes / columns, 0), unit: 'bytes' },
      {
        bench: 'streaming',
        figure: 'columns encoded for six viewers of the same 289',
        value: encoded,
        unit: 'columns',
        target: 'each once',
        met: encoded === columnsInView,
      },
      {
        bench: 'streaming',
        figure: 'memory of 1,000 loaded columns',
        value: round(columnsMiB, 1),
        unit: 'MiB',
        target: 'below 40',
        met: columnsMiB < 40,
      },
    ]
  } finally {
    await server.stop()
  }
}

/** One player joins on land that an earlier server has stored. */
const measureStoredLand = async (dataDir: string): Promise<BenchResult> => {
  const server = await startServer(dataDir, 1)
  try {
    const client = openClient(server, 0)
    const milliseconds = await client.columns(columnsInView)
    client.close()
    return toJoin('all 289 columns of a joining player, from the store', milliseconds)
  } finally {
    await server.stop()
  }
}

/** Twenty players fly apart from one place at full speed, over new land. */
const measureFlight = async (dataDir: string): Promise<readonly BenchResult[]> => {
  const server = await startServer(dataDir, flyers)
  try {
    const clients = Array.from({ length: flyers }, (_, index) => openClient(server, index))
    await Promise.all(clients.map((client) => client.columns(columnsInView)))
    for (let step = 0; step < 100; step += 1) {
      for (const client of clients) client.move(0, 1.5, 0)
      await pause(1000 / movesPerSecond)
    }
    const before = clients.map((client) => client.received())
    server.send('ticks')
    await server.wait(readNumber('slowestTickMs'))
    const step = 21 / movesPerSecond
    for (const end = performance.now() + flightMs; performance.now() < end; await pause(1000 / movesPerSecond))
      for (const [index, client] of clients.entries()) {
        const angle = (index / flyers) * 2 * Math.PI
        client.move(Math.cos(angle) * step, 0, Math.sin(angle) * step)
      }
    server.send('ticks')
    const slowestTickMs = await server.wait(readNumber('slowestTickMs'))
    const sumOf = (what: 'columns' | 'corrections'): number =>
      clients.reduce((sum, client, index) => sum + client.received()[what] - (before[index]?.[what] ?? 0), 0)
    for (const client of clients) client.close()
    return [
      {
        bench: 'streaming',
        figure: 'slowest tick while 20 players fly into new land',
        value: round(slowestTickMs, 1),
        unit: 'ms',
        target: 'at most 50',
        met: slowestTickMs <= 50,
      },
      {
        bench: 'streaming',
        figure: 'columns that came to the 20 in flight',
        value: round(sumOf('columns') / (flightMs / 1000), 0),
        unit: 'columns/s',
      },
      {
        bench: 'streaming',
        figure: 'moves of theirs into land that was not there yet, each refused',
        value: sumOf('corrections'),
        unit: 'moves',
      },
    ]
  } finally {
    await server.stop()
  }
}

const withDataDir = async <T>(run: (dataDir: string) => Promise<T>): Promise<T> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-streaming-'))
  try {
    return await run(dataDir)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/**
 * Benchmarks how soon a player has the surrounding world, its cost in bytes and memory, and whether a tick ever waits for
 * terrain. It cannot show a network that is slower than loopback.
 */
export const streaming: Bench = {
  name: 'streaming',
  run: async () => [
    ...(await withDataDir(async (dataDir) => [...(await measureNewLand(dataDir)), await measureStoredLand(dataDir)])),
    ...(await withDataDir(measureFlight)),
  ],
}
