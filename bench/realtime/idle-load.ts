import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { WebSocket } from 'ws'
import { ClientMessage } from '../../realtime/protocol/generated/gatehouse.ts'

/** The first argument of a process with idle players, as JSON. */
export type IdlePlan = {
  readonly port: number
  /** An address of the loopback: a pair of addresses has at most about 28,000 ports. */
  readonly localAddress: string
  /** A JSON array of tokens; the process uses `players` of them from `first` on. */
  readonly tokensPath: string
  readonly first: number
  readonly players: number
  readonly joinsPerSecond: number
}

/** ServerMessage.welcome is field 1: its tag byte. */
const welcomeTag = 0x0a

const plan: IdlePlan = JSON.parse(process.argv[2] ?? '{}')
let connected = 0
let closed = 0

const join = async (token: string): Promise<void> => {
  const socket = new WebSocket(`ws://127.0.0.1:${plan.port}/realtime`, {
    perMessageDeflate: false,
    localAddress: plan.localAddress,
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed += 1
  })
  let isIn = false
  socket.on('message', (data: Buffer) => {
    if (isIn || data[0] !== welcomeTag) return
    isIn = true
    connected += 1
  })
  await once(socket, 'open')
  const connect = { token, protocolVersion: 1, clientName: 'bench', resumeToken: undefined }
  socket.send(ClientMessage.encode({ kind: { $case: 'connect', value: connect } }).finish())
}

const joinAll = async (): Promise<void> => {
  const all: string[] = JSON.parse(await readFile(plan.tokensPath, 'utf8'))
  const startedMs = performance.now()
  for (const [i, token] of all.slice(plan.first, plan.first + plan.players).entries()) {
    const waitMs = startedMs + (i * 1000) / plan.joinsPerSecond - performance.now()
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
    join(token).catch(() => undefined)
  }
  while (connected + closed < plan.players) await new Promise((resolve) => setTimeout(resolve, 50))
}

process.on('message', (message) => {
  if (message === 'connect') void joinAll().then(() => process.send?.({ connected, closed }))
  if (message === 'count') process.send?.({ still: connected - closed })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
