import { startChild } from '../realtime/child.ts'
import type { LoadPlan } from '../realtime/load.ts'
import type { Scenario } from '../realtime/scenario.ts'
import { type Bench, type BenchResult, round } from '../result.ts'

const bench = 'memory-costs'
const sideColumns = 32
const players = 300
const [near, far] = [2, 8] as const
const settleMs = 10_000
/** Half of the figure of 22 November 2026, measured in the same way. */
const sessionBytesMax = 7_500

type ColumnCosts = {
  readonly columns: number
  readonly packedColumns: number
  readonly openBytes: number
  readonly packedBytes: number
  readonly packMicros: number
  readonly unpackMicros: number
}

const readField =
  <T>(name: string) =>
  (message: Record<string, unknown>): T | undefined =>
    message[name] === undefined ? undefined : JSON.parse(JSON.stringify(message[name]))

const measureColumns = async (): Promise<ColumnCosts> => {
  const child = startChild('memory/column-costs.ts', [String(sideColumns)])
  try {
    return await child.wait(readField<ColumnCosts>('costs'))
  } finally {
    await child.stop()
  }
}

/** Connects one more crowd, which stays. */
const bringIn = async (plan: LoadPlan) => {
  const load = startChild('realtime/load.ts', [JSON.stringify(plan)])
  await load.wait(readField<boolean>('ready'))
  load.send('connect')
  const connected = await load.wait(readField<number>('connected'))
  if (connected !== plan.players) throw new Error(`${connected} of ${plan.players} came in`)
  await new Promise((resolve) => setTimeout(resolve, settleMs))
  return load
}

/** Bytes for each player of a second crowd, after the first has warmed up everything; on level ground that all of them share. */
const measureEach = async (kind: 'gatehouse' | 'bare', viewRadius: number): Promise<number> => {
  const scenario: Scenario = { players: 2 * players, sideBlocks: 0, joinsPerSecond: 100, observers: 0, measureMs: 0, viewRadius }
  const server =
    kind === 'gatehouse'
      ? startChild('realtime/gatehouse-server.ts', [JSON.stringify(scenario)])
      : startChild('realtime/bare-server.ts', [JSON.stringify([{ count: 2 * players, size: 10 }])])
  const loads: Awaited<ReturnType<typeof bringIn>>[] = []
  const sizes: number[] = []
  try {
    const { ready: port, tokens = [] } = await server.wait((message) =>
      message.ready === undefined ? undefined : (JSON.parse(JSON.stringify(message)) as { ready: number; tokens?: string[] }),
    )
    for (const first of [0, players]) {
      const crowd = { kind, port, players, sideBlocks: 0, joinsPerSecond: 100, observers: 0 }
      loads.push(await bringIn({ ...crowd, tokens: tokens.slice(first, first + players) }))
      server.send('heap')
      sizes.push(await server.wait(readField<number>('heapBytes')))
    }
    return ((sizes[1] ?? 0) - (sizes[0] ?? 0)) / players
  } finally {
    for (const load of loads) await load.stop()
    await server.stop()
  }
}

const bytesOf = (figure: string, value: number): BenchResult => ({ bench, figure, value: round(value, 0), unit: 'bytes' })

/**
 * Benchmarks memory by heap snapshots: of a column of terrain, of a session, and of its view. It cannot show the memory that the
 * process takes from the system: `growth` does.
 */
export const memoryCosts: Bench = {
  name: bench,
  run: async () => {
    const { columns, packedColumns, openBytes, packedBytes, packMicros, unpackMicros } = await measureColumns()
    const bare = await measureEach('bare', near)
    const [seesLittle, seesFar] = [await measureEach('gatehouse', near), await measureEach('gatehouse', far)]
    return [
      bytesOf('a column of terrain with caves that somebody looks at', openBytes),
      {
        ...bytesOf('a column of terrain with caves that nobody looks at', packedBytes),
        reference: { name: 'looked at', value: round(openBytes, 0) },
        ratio: round(packedBytes / openBytes, 2),
        target: 'at most 0.5',
        met: packedBytes <= openBytes / 2 && packedColumns === columns,
      },
      { bench, figure: 'packing a column', value: round(packMicros, 0), unit: 'µs' },
      { bench, figure: 'unpacking a column', value: round(unpackMicros, 0), unit: 'µs' },
      {
        ...bytesOf(`a session that sees ${far} columns far, with its connection`, seesFar),
        reference: { name: 'a bare ws connection', value: round(bare, 0) },
        ratio: round(seesFar / bare, 2),
        target: `at most ${sessionBytesMax}, half of what it was`,
        met: seesFar <= sessionBytesMax,
      },
      bytesOf(`a session that sees ${near} columns far, with its connection`, seesLittle),
    ]
  },
}
