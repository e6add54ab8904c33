import { WebSocketServer } from 'ws'
import { measureServer } from './measured-server.ts'

/**
 * The floor: a bare `ws` server that takes every move without reading it. Each tick it sends each client a frame, of a size that
 * Gatehouse sent. Argument: the sizes as JSON.
 */
const sizes: number[] = JSON.parse(process.argv[2] ?? '[32]')
const counters = measureServer()
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
const clients = new Set<import('ws').WebSocket>()
server.on('connection', (socket) => {
  clients.add(socket)
  socket.on('message', () => {})
  socket.on('close', () => clients.delete(socket))
})
const payload = Buffer.alloc(Math.max(...sizes))
let next = 0
const tickMs = 50
let due = performance.now() + tickMs
const tick = () => {
  const startedAt = performance.now()
  const size = sizes[next++ % sizes.length] ?? 32
  for (const client of clients) {
    const frame = Buffer.allocUnsafe(size)
    payload.copy(frame, 0, 0, size)
    client.send(frame)
  }
  counters.tick(performance.now() - startedAt)
  counters.frames(clients.size, clients.size * size)
  due += tickMs
  setTimeout(tick, Math.max(0, due - performance.now()))
}
setTimeout(tick, tickMs)
server.on('listening', () => {
  const address = server.address()
  process.send?.({ ready: typeof address === 'object' ? address?.port : 0 })
})
