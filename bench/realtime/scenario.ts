import { existsSync } from 'node:fs'
import type { LandDone, LandWork } from '../land/land-work.ts'
import { pinTo } from '../pin.ts'
import { type BenchChild, startChild } from './child.ts'
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
  /** An administrator is there too, with a verified token. */
  readonly hasAdmin?: boolean
  /** On terrain that is made as they come, over which they go at this height; else on level ground that is there. */
  readonly newLandHeight?: number
  /** Columns that each player sees; as shipped when absent. */
  readonly viewRadius?: number
  /** What is done to the land while they walk; it is measured once without, and once with it. */
  readonly land?: LandWork
}

export type ScenarioResult = {
  readonly server: ServerMeasure
  readonly load: LoadMeasure
  /** Server CPU for each player and tick, in microseconds. */
  readonly cpuMicrosPerPlayerTick: number
  readonly emptyRssMiB: number
  readonly connectedRssMiB: number
  /** What was measured with the work, and what came of it. */
  readonly worked?: { readonly server: ServerMeasure; readonly done: LandDone }
}

const scripts: Record<LoadKind, string> = {
  gatehouse: 'realtime/gatehouse-server.ts',
  bare: 'realtime/bare-server.ts',
  colyseus: 'colyseus/server.js',
}

/** Server and load each have a core of their own, where there are two. */
const [serverCore, loadCore] = [0, 1]

const settleMs = 20_000
const settledMsMax = 300_000
/** A player who was set down somewhere walks once there is ground, which for a thousand at once takes a moment. */
const groundMs = 6_000
const collectionMs = 1000

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const readRss = (message: Record<string, unknown>): number | undefined =>
  typeof message.rssMiB === 'number' ? message.rssMiB : undefined

const isMeasure = <T>(message: Record<string, unknown>): T | undefined =>
  message.measure === undefined ? undefined : JSON.parse(JSON.stringify(message.measure))

const refuseWithout = (kind: LoadKind): void => {
  if (kind === 'colyseus' && !existsSync(new URL('../colyseus/node_modules', import.meta.url)))
    throw new Error('Colyseus is installed apart, since it asks for a newer Node: npm ci --prefix bench/colyseus')
}

const workMsMax = 300_000

const measureWork = async (server: BenchChild) => {
  server.send('begin')
  server.send('work')
  const done = await server.wait<LandDone>(
    (message) => (message.done === undefined ? undefined : JSON.parse(JSON.stringify(message.done))),
    workMsMax,
  )
  server.send('end')
  return { server: await server.wait<ServerMeasure>(isMeasure), done }
}

/** Starts the server, lets everybody join and walk, and measures both sides for `measureMs`. */
export const runScenario = async (kind: LoadKind, scenario: Scenario, serverArgument: string): Promise<ScenarioResult> => {
  refuseWithout(kind)
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
    // One that has shown everybody to everybody for so long has not come to anything else yet.
    server.send('memory')
    await server.wait(readRss, settledMsMax)
    // To be asked for its memory holds it up for a tenth of a second, by the collection that comes first: no step of that time counts.
    await pause(collectionMs)
    server.send('begin')
    load.send('begin')
    await pause(scenario.measureMs)
    server.send('end')
    load.send('end')
    const measured = await server.wait<ServerMeasure>(isMeasure)
    const loaded = await load.wait<LoadMeasure>(isMeasure)
    // A reference that lost its players costs nothing, and says nothing. Connections that Gatehouse loses are a figure of their own.
    if (kind !== 'gatehouse' && loaded.closed > 0)
      throw new Error(`${kind} lost ${loaded.closed} of ${players} connections: its figures would say nothing.`)
    if (measured.wallMs < scenario.measureMs / 2 || measured.ticks === 0)
      throw new Error(`${kind} came to no tick while it was measured: its figures would say nothing.`)
    const worked = scenario.land === undefined ? undefined : await measureWork(server)
    const cpuMicrosPerPlayerTick = (measured.cpuMs * 1000) / (players * Math.max(1, measured.ticks))
    return { server: measured, load: loaded, cpuMicrosPerPlayerTick, emptyRssMiB, connectedRssMiB, ...(worked && { worked }) }
  } finally {
    await load?.stop()
    await server.stop()
  }
}
