import { type WebSocket, WebSocketServer } from 'ws'
import { measureServer, type TickFrames } from './measured-server.ts'

/**
 * The floor: a bare `ws` server that receives moves without parsing them. Each tick it sends frames of the same number and size
 * as Gatehouse did, to the clients in turn. Argument: the ticks as JSON.
 */
const ticks: TickFrames[] = JSON.parse(process.argv[2] ?? '[]')
const counters = measureServer()
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
const clients: WebSocket[] = []
server.on('connection', (socket) => {
  clients.push(socket)
  socket.on('message', () => {})
  socket.on('close', () => clients.splice(clients.indexOf(socket), 1))
})
const payload = Buffer.alloc(Math.max(32, ...ticks.map(({ size }) => size)))
let nextTick = 0
let nextClient = 0
const tickMs = 50
let due = performance.now() + tickMs
const tick = () => {
  const startedAt = performance.now()
  const { count, size } = ticks[nextTick++ % ticks.length] ?? { count: clients.length, size: 32 }
  const sends = Math.min(count, clients.length)
  for (let sent = 0; sent < sends; sent += 1) {
    const frame = Buffer.allocUnsafe(size)
    payload.copy(frame, 0, 0, size)
    clients[nextClient++ % clients.length]?.send(frame)
  }
  counters.tick(performance.now() - startedAt)
  counters.frames(sends, sends * size)
  due += tickMs
  setTimeout(tick, Math.max(0, due - performance.now()))
}
setTimeout(tick, tickMs)
server.on('listening', () => {
  const address = server.address()
  process.send?.({ ready: typeof address === 'object' ? address?.port : 0 })
})
