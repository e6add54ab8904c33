import { pinTo } from '../pin.ts'
import { startChild } from './child.ts'
import type { LoadKind } from './joins.ts'
import type { LoadMeasure, LoadPlan } from './load.ts'
import type { ServerMeasure } from './measured-server.ts'

/** One crowd on one kind of server. */
export type Scenario = {
  readonly players: number
  readonly sideBlocks: number
  readonly joinsPerSecond: number
  readonly observers: number
  readonly measureMs: number
}

export type ScenarioResult = {
  readonly server: ServerMeasure
  readonly load: LoadMeasure
  /** Server CPU per player and tick, in microseconds. */
  readonly cpuMicrosPerPlayerTick: number
  readonly emptyRssMiB: number
  readonly connectedRssMiB: number
}

const scripts: Record<LoadKind, string> = {
  gatehouse: 'realtime/gatehouse-server.ts',
  bare: 'realtime/bare-server.ts',
}

/** Server and load have separate cores if there are two. */
const [serverCore, loadCore] = [0, 1]

const settleMs = 20_000
const settledMsMax = 300_000
/** A teleported player walks once there is ground, which takes a moment for a thousand at once. */
const groundMs = 6_000
const collectionMs = 1000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const readRss = (message: Record<string, unknown>): number | undefined =>
  typeof message.rssMiB === 'number' ? message.rssMiB : undefined

const isMeasure = <T>(message: Record<string, unknown>): T | undefined =>
  message.measure === undefined ? undefined : JSON.parse(JSON.stringify(message.measure))

/** Starts the server, lets all players join and walk, and measures both sides for `measureMs`. */
export const runScenario = async (kind: LoadKind, scenario: Scenario, serverArgument: string): Promise<ScenarioResult> => {
  const server = startChild(scripts[kind], [serverArgument])
  let load: ReturnType<typeof startChild> | undefined
  try {
    const { port, tokens } = await server.wait((message) =>
      typeof message.ready === 'number'
        ? { port: message.ready, tokens: Array.isArray(message.tokens) ? message.tokens.map(String) : [] }
        : undefined,
    )
    server.send('memory')
    const emptyRssMiB = await server.wait(readRss)
    const { players, sideBlocks, joinsPerSecond, observers } = scenario
    const plan: LoadPlan = { kind, port, players, sideBlocks, joinsPerSecond, observers, tokens }
    load = startChild('realtime/load.ts', [JSON.stringify(plan)])
    await load.wait((message) => (message.ready === true ? true : undefined))
    pinTo(serverCore, server.pid)
    pinTo(loadCore, load.pid)
    load.send('connect')
    await load.wait(
      (message) => (typeof message.connected === 'number' ? true : undefined),
      (players / joinsPerSecond) * 1000 + 60_000,
    )
    await pause(1000)
    server.send('memory')
    const connectedRssMiB = await server.wait(readRss)
    server.send('spread')
    await pause(groundMs)
    load.send('walk')
    await pause(settleMs)
    // A server that has sent all players to all players for so long has had no time for other work yet.
    server.send('memory')
    await server.wait(readRss, settledMsMax)
    // Reading its memory stops it for a tenth of a second, because it collects garbage first: steps of that time do not count.
    await pause(collectionMs)
    server.send('begin')
    load.send('begin')
    await pause(scenario.measureMs)
    server.send('end')
    load.send('end')
    const measured = await server.wait<ServerMeasure>(isMeasure)
    const loaded = await load.wait<LoadMeasure>(isMeasure)
    // A reference that lost its players costs nothing and proves nothing. Lost connections of Gatehouse are a separate figure.
    if (kind !== 'gatehouse' && loaded.closed > 0)
      throw new Error(`${kind} lost ${loaded.closed} of ${players} connections: its figures would say nothing.`)
    if (measured.wallMs < scenario.measureMs / 2 || measured.ticks === 0)
      throw new Error(`${kind} came to no tick while it was measured: its figures would say nothing.`)
    const cpuMicrosPerPlayerTick = (measured.cpuMs * 1000) / (players * Math.max(1, measured.ticks))
    return { server: measured, load: loaded, cpuMicrosPerPlayerTick, emptyRssMiB, connectedRssMiB }
  } finally {
    await load?.stop()
    await server.stop()
  }
}
