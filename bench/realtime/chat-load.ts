import { connect as connectSocket, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import { ClientMessage, ServerMessage } from '../../realtime/protocol/generated/gatehouse.ts'
import { percentile } from '../result.ts'

/** The first argument of the load process, as JSON. */
export type ChatLoadPlan = {
  /** Speakers, who take turns, and listeners, each group on a separate node. */
  readonly speakers: { readonly port: number; readonly tokens: readonly string[] }
  readonly listeners: { readonly port: number; readonly tokens: readonly string[] }
  /** The number of players on each side who parse their frames; frames of the others are only counted. */
  readonly observers: number
  readonly linesPerSecond: number
}

/** The report for the time between `speak` and `end`. */
export type ChatLoadMeasure = {
  readonly said: number
  /** Lines per observer: the fewest, the most, and the number of duplicates. */
  readonly heardMin: number
  readonly heardMax: number
  readonly heardTwice: number
  readonly refused: number
  readonly latencyP50Ms: number
  readonly latencyP99Ms: number
  readonly closed: number
  readonly bytesIn: number
}

const plan: ChatLoadPlan = JSON.parse(process.argv[2] ?? '{}')
const sliceMs = 10
const signOfLifeMs = 5_000
const welcomeTag = 0x0a
const chatter = 'and this is about how long a line of chat between two players is'

const arrivals = Buffer.allocUnsafeSlow(256 * 1024)
const drained = new Set<WebSocket>()
const heard: Map<number, number>[] = []
const latencies: number[] = []
const sentAt: number[] = []
let bytesIn = 0
let closed = 0
let refused = 0
let said = 0
let isSpeaking = false

const read = (lines: Map<number, number>, isFar: boolean, data: Buffer): void => {
  const { kind } = ServerMessage.decode(data)
  if (kind?.$case === 'error') refused += 1
  if (kind?.$case !== 'chatMessage') return
  const seq = Number.parseInt(kind.value.text, 10)
  lines.set(seq, (lines.get(seq) ?? 0) + 1)
  if (isFar) latencies.push(performance.now() - (sentAt[seq] ?? 0))
}

const connect = (port: number, token: string, isObserver: boolean, isFar: boolean): Promise<WebSocket> =>
  new Promise((resolve) => {
    const open = (): Socket => {
      const stream = connectSocket({
        port,
        host: '127.0.0.1',
        onread: {
          buffer: arrivals,
          callback: (length) => {
            bytesIn += length
            if (!drained.has(socket)) stream.emit('data', Buffer.from(arrivals.subarray(0, length)))
            return true
          },
        },
      })
      return stream
    }
    const socket = new WebSocket(`ws://127.0.0.1:${port}/realtime`, { perMessageDeflate: false, createConnection: open })
    const lines = new Map<number, number>()
    if (isObserver) heard.push(lines)
    const value = { token, protocolVersion: 1, clientName: 'bench', resumeToken: undefined }
    socket.on('open', () => socket.send(ClientMessage.encode({ kind: { $case: 'connect', value } }).finish()))
    socket.on('close', () => {
      closed += 1
    })
    socket.on('error', () => {})
    socket.on('message', (data: Buffer) => {
      if (data[0] === welcomeTag) {
        if (!isObserver) drained.add(socket)
        resolve(socket)
      } else if (isObserver) read(lines, isFar, data)
    })
  })

const connectAll = (side: ChatLoadPlan['speakers'], isFar: boolean): Promise<WebSocket[]> =>
  Promise.all(side.tokens.map((token, index) => connect(side.port, token, index < plan.observers, isFar)))

const listeners = await connectAll(plan.listeners, true)
const speakers = await connectAll(plan.speakers, false)

// A client that only counts frames does not answer pings.
setInterval(() => {
  for (const socket of [...listeners, ...speakers])
    socket.send(ClientMessage.encode({ kind: { $case: 'ping', value: { nonce: 1 } } }).finish())
}, signOfLifeMs)

let dueLines = 0
let lastMs = performance.now()
const speak = (): void => {
  const now = performance.now()
  if (isSpeaking) dueLines += ((now - lastMs) / 1000) * plan.linesPerSecond
  lastMs = now
  for (; dueLines >= 1; dueLines -= 1) {
    const text = `${said} ${chatter}`
    sentAt[said] = performance.now()
    speakers[said % speakers.length]?.send(
      ClientMessage.encode({ kind: { $case: 'chat', value: { channel: 'global', text } } }).finish(),
    )
    said += 1
  }
  setTimeout(speak, sliceMs)
}
speak()

const end = (): ChatLoadMeasure => {
  const counts = heard.map((lines) => [...lines.values()].reduce((sum, count) => sum + count, 0))
  return {
    said,
    heardMin: Math.min(...counts),
    heardMax: Math.max(...counts),
    heardTwice: heard.flatMap((lines) => [...lines.values()]).filter((count) => count > 1).length,
    refused,
    latencyP50Ms: percentile(latencies, 0.5),
    latencyP99Ms: percentile(latencies, 0.99),
    closed,
    bytesIn,
  }
}

process.on('message', (message) => {
  if (message === 'speak') isSpeaking = true
  if (message === 'hush') isSpeaking = false
  if (message === 'end') process.send?.({ measure: end() })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ connected: listeners.length + speakers.length })
