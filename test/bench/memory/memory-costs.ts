import { startChild } from '../realtime/child.ts'
import type { LoadPlan } from '../realtime/load.ts'
import type { Scenario } from '../realtime/scenario.ts'
import { type Bench, type BenchResult, round } from '../result.ts'

const bench = 'memory-costs'
const sideColumns = 32
const players = 400
const [near, far] = [2, 8] as const
const settleMs = 10_000

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
  const child = startChild('../memory/column-costs.ts', [String(sideColumns)])
  try {
    return await child.wait(readField<ColumnCosts>('costs'))
  } finally {
    await child.stop()
  }
}

/** Bytes for each who is there, on level ground, which they all see in common. */
const measureSessions = async (viewRadius: number): Promise<number> => {
  const scenario: Scenario = { players, sideBlocks: 0, joinsPerSecond: 100, observers: 0, measureMs: 0, viewRadius }
  const server = startChild('./gatehouse-server.ts', [JSON.stringify(scenario)])
  let load: ReturnType<typeof startChild> | undefined
  try {
    const { ready: port, tokens } = await server.wait((message) =>
      message.ready === undefined ? undefined : (JSON.parse(JSON.stringify(message)) as { ready: number; tokens: string[] }),
    )
    server.send('heap')
    const empty = await server.wait(readField<number>('heapBytes'))
    const plan: LoadPlan = { kind: 'gatehouse', port, players, sideBlocks: 0, joinsPerSecond: 100, observers: 0, tokens }
    load = startChild('./load.ts', [JSON.stringify(plan)])
    await load.wait(readField<boolean>('ready'))
    load.send('connect')
    const connected = await load.wait(readField<number>('connected'))
    if (connected !== players) throw new Error(`${connected} of ${players} came in`)
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    server.send('heap')
    return ((await server.wait(readField<number>('heapBytes'))) - empty) / players
  } finally {
    await load?.stop()
    await server.stop()
  }
}

const bytesOf = (figure: string, value: number): BenchResult => ({ bench, figure, value: round(value, 0), unit: 'bytes' })

/**
 * What is kept in memory, by heap snapshots: of a column of terrain, of a session, of what it sees. It cannot show what the process
 * takes from the system besides: `growth` does.
 */
export const memoryCosts: Bench = {
  name: bench,
  run: async () => {
    const { columns, packedColumns, openBytes, packedBytes, packMicros, unpackMicros } = await measureColumns()
    const [seesLittle, seesFar] = [await measureSessions(near), await measureSessions(far)]
    const moreColumns = (2 * far + 1) ** 2 - (2 * near + 1) ** 2
    const viewBytes = (seesFar - seesLittle) / moreColumns
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
      bytesOf(`a session that sees ${near} columns far, with all that is its own`, seesLittle),
      bytesOf('each column that a session sees', viewBytes),
    ]
  },
}
