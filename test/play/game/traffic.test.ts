import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { WebSocket, WebSocketServer } from 'ws'
import { createTraffic } from '../../../play/game/traffic.ts'

let server: WebSocketServer
beforeAll(async () => {
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (socket) => socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })))
  await once(server, 'listening')
})
afterAll(() => server.close())

it('counts bytes sent and received per second, from zero each time', async () => {
  const traffic = createTraffic(WebSocket as unknown as typeof globalThis.WebSocket, () => 0)
  const socket = new traffic.WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  socket.binaryType = 'arraybuffer'
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const echoed = new Promise((resolve) => socket.addEventListener('message', resolve))
  socket.send(new Uint8Array(300))
  await echoed
  expect(traffic.take(500)).toEqual({ bytesIn: 600, bytesOut: 600 })
  expect(traffic.take(1500)).toEqual({ bytesIn: 0, bytesOut: 0 })
  socket.close()
})
