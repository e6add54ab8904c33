import { WebSocket } from 'ws'
import { ClientMessage, ServerMessage } from '../../realtime/protocol/generated/gatehouse.ts'

/** First byte of a ServerMessage that holds a Welcome, and of one that holds a Chunk. */
const welcomeTag = 0x0a
const chunkTag = 0x12

/** A client that counts the columns it is sent. */
export type StreamingClient = {
  /** Milliseconds from opening the socket to the column that made so many; rejects when they do not come within 30 s. */
  readonly columns: (count: number) => Promise<number>
  readonly received: () => { readonly columns: number; readonly bytes: number }
  /** Asks to be so many blocks further; once it was welcomed. */
  move(dx: number, dy: number, dz: number): void
  pause(): void
  resume(): void
  isOpen(): boolean
  close(): void
}

export const openStreamingClient = (port: number | string, token: string): StreamingClient => {
  const openedAt = performance.now()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/realtime`, { perMessageDeflate: false })
  const arrivedAt: number[] = []
  let bytes = 0
  let seq = 0
  let place: { x: number; y: number; z: number } | undefined
  let look = (): void => {}

  socket.on('open', () => {
    const value = { token, protocolVersion: 1, clientName: 'bench', resumeToken: undefined }
    socket.send(ClientMessage.encode({ kind: { $case: 'connect', value } }).finish())
  })
  socket.on('message', (data: Buffer) => {
    if (data[0] === welcomeTag) {
      const { kind } = ServerMessage.decode(data)
      if (kind?.$case === 'welcome') place = kind.value.position
    }
    if (data[0] !== chunkTag) return
    arrivedAt.push(performance.now() - openedAt)
    bytes += data.length
    look()
  })

  return {
    columns: (count) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${arrivedAt.length} of ${count} columns came within 30 s`)), 30_000)
        look = () => {
          const at = arrivedAt[count - 1]
          if (at === undefined) return
          clearTimeout(timer)
          resolve(at)
        }
        look()
      }),
    received: () => ({ columns: arrivedAt.length, bytes }),
    move: (dx, dy, dz) => {
      if (place === undefined) return
      place = { x: place.x + dx, y: place.y + dy, z: place.z + dz }
      seq += 1
      socket.send(ClientMessage.encode({ kind: { $case: 'move', value: { seq, ...place, yaw: 0, pitch: 0 } } }).finish())
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    isOpen: () => socket.readyState === WebSocket.OPEN,
    close: () => socket.terminate(),
  }
}
