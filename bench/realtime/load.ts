import { connect as connectSocket, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import { createFrameReader } from './frame-reader.ts'
import { createJoins, type LoadKind } from './joins.ts'
import { createWalk } from './walk.ts'

/** The first argument of the load process, as JSON. */
export type LoadPlan = {
  readonly kind: LoadKind
  readonly port: number
  readonly players: number
  readonly sideBlocks: number
  readonly joinsPerSecond: number
  /** For Gatehouse: one token per player, in order. */
  readonly tokens: readonly string[]
  /** The number of players whose incoming frames are parsed; frames of the others are only counted. */
  readonly observers: number
}

export type LoadMeasure = {
  readonly connected: number
  readonly observers: number
  readonly closed: number
  readonly framesIn: number
  readonly bytesIn: number
  readonly movesOut: number
  readonly updatesRead: number
  readonly updateBytes: number
  readonly latencyP50Ms: number
  readonly latencyP99Ms: number
  /** For steps less than 16 blocks from their observer; 0 without any. */
  readonly nearLatencyP99Ms: number
  readonly joinP99Ms: number
  readonly lateSends: number
}

const plan: LoadPlan = JSON.parse(process.argv[2] ?? '{}')
const movesPerSecond = 20
const walk = createWalk({ players: plan.players, sideBlocks: plan.sideBlocks, seed: 7 })
const joins = createJoins(plan)
const sockets: WebSocket[] = []
const joined: boolean[] = []
const joinTimes: number[] = []
const latencies: number[] = []
const nearLatencies: number[] = []
const reader = createFrameReader(plan.players, (milliseconds, isNear) => {
  latencies.push(milliseconds)
  if (isNear) nearLatencies.push(milliseconds)
})
let connected = 0
let closed = 0
let framesIn = 0
let bytesIn = 0
let movesOut = 0
let lateSends = 0
let moving = false

const percentile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/**
 * The buffer for all incoming bytes, so that the crowd's frames create no garbage: the load shares its machine with the measured
 * server.
 */
const arrivals = Buffer.allocUnsafeSlow(256 * 1024)
const drained = new Set<number>()

/** A socket that emits incoming frames until `index` is drained, and only counts them from then on. */
const openSocket = (index: number): Socket => {
  const socket = connectSocket({
    port: plan.port,
    host: '127.0.0.1',
    onread: {
      buffer: arrivals,
      callback: (length) => {
        if (drained.has(index)) bytesIn += length
        else socket.emit('data', Buffer.from(arrivals.subarray(0, length)))
        return true
      },
    },
  })
  return socket
}

const connect = async (index: number) => {
  const startedAt = performance.now()
  const socket = new WebSocket(await joins.urlOf(index), {
    perMessageDeflate: false,
    createConnection: () => openSocket(index),
  })
  sockets[index] = socket
  socket.on('open', () => joins.onOpen(socket, index))
  socket.on('close', () => {
    closed += 1
    joined[index] = false
  })
  socket.on('error', () => {})
  socket.on('message', (data: Buffer) => {
    framesIn += 1
    bytesIn += data.length
    if (!joined[index] && joins.isWelcome(data)) {
      joined[index] = true
      connected += 1
      joinTimes.push(performance.now() - startedAt)
      if (plan.kind === 'gatehouse') reader.onWelcome(index, data)
    }
    if (plan.kind === 'gatehouse' && index < plan.observers) reader.read(index, data)
    if (joined[index] && index >= plan.observers) drained.add(index)
    joins.onMessage(socket, data)
  })
}

const connectAll = async () => {
  const startedAt = performance.now()
  for (let index = 0; index < plan.players; index++) {
    const dueMs = (index / plan.joinsPerSecond) * 1000
    const waitMs = dueMs - (performance.now() - startedAt)
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
    void connect(index)
  }
}

const step = (index: number): void => {
  const socket = sockets[index]
  if (!socket || !joined[index]) return
  walk.step(index, 1 / movesPerSecond)
  const position = { x: walk.x[index] ?? 0, y: 64, z: walk.z[index] ?? 0, yaw: walk.yaw[index] ?? 0 }
  if (plan.kind === 'gatehouse') reader.onSent(index, position)
  socket.send(joins.encodeMove(index, position))
  movesOut += 1
}

/** Players move one by one, evenly spread over a twentieth of a second, so that no two moves arrive together. */
const betweenMs = 1000 / movesPerSecond / plan.players
let nextPlayer = 0
let due = performance.now()
const sendDue = (): void => {
  const now = performance.now()
  if (!moving) due = now
  if (now - due > 25) lateSends += 1
  for (; moving && due <= now; due += betweenMs) {
    step(nextPlayer)
    nextPlayer = (nextPlayer + 1) % plan.players
  }
  // The load has its own core: a timer would wait a millisecond, which is twenty players of a thousand.
  if (moving) setImmediate(sendDue)
  else setTimeout(sendDue, 5)
}
sendDue()

const begin = () => {
  framesIn = 0
  bytesIn = 0
  movesOut = 0
  lateSends = 0
  latencies.length = 0
  nearLatencies.length = 0
  reader.reset()
}

const end = (): LoadMeasure => ({
  connected,
  observers: plan.observers,
  closed,
  framesIn,
  bytesIn,
  movesOut,
  updatesRead: reader.counts().updates,
  updateBytes: reader.counts().bytes,
  latencyP50Ms: percentile(latencies, 0.5),
  latencyP99Ms: percentile(latencies, 0.99),
  nearLatencyP99Ms: percentile(nearLatencies, 0.99),
  joinP99Ms: percentile(joinTimes, 0.99),
  lateSends,
})

process.on('message', (message) => {
  if (message === 'connect')
    void connectAll().then(() => {
      const waiting = setInterval(() => {
        if (connected + closed < plan.players) return
        clearInterval(waiting)
        process.send?.({ connected, closed })
      }, 20)
    })
  if (message === 'walk') moving = true
  if (message === 'begin') begin()
  if (message === 'end') process.send?.({ measure: end() })
  if (message === 'stop') process.exit(0)
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
