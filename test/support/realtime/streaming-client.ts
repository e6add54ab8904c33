import { WebSocket } from 'ws'
import { ClientMessage, ServerMessage } from '../../../realtime/protocol/generated/gatehouse.ts'

/** The first byte of a ServerMessage with a Welcome, a Chunk or a Correction. */
const welcomeTag = 0x0a
const chunkTag = 0x12
const correctionTag = 0x3a

const readPosition = (data: Uint8Array) => {
  const { kind } = ServerMessage.decode(data)
  return kind?.$case === 'welcome' || kind?.$case === 'correction' ? kind.value.position : undefined
}

/** A client that counts received columns, and stays where the server puts it. */
export type StreamingClient = {
  /** Resolves with the milliseconds from the connection to column number `count`; rejects after 30 s. */
  readonly columns: (count: number) => Promise<number>
  readonly received: () => { readonly columns: number; readonly bytes: number; readonly corrections: number }
  /** Moves by the given number of blocks; call it after the Welcome. */
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
  let corrections = 0
  let seq = 0
  let place: { x: number; y: number; z: number } | undefined
  let look = (): void => {}

  socket.on('open', () => {
    const value = { token, protocolVersion: 1, clientName: 'bench', resumeToken: undefined }
    socket.send(ClientMessage.encode({ kind: { $case: 'connect', value } }).finish())
  })
  socket.on('message', (data: Buffer) => {
    if (data[0] === correctionTag) corrections += 1
    if (data[0] === welcomeTag || data[0] === correctionTag) place = readPosition(data)
    if (data[0] !== chunkTag) return
    arrivedAt.push(performance.now() - openedAt)
    bytes += data.length
    look()
  })

  return {
    columns: (count) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${arrivedAt.length} of ${count} columns came within 90 s`)), 90_000)
        look = () => {
          const at = arrivedAt[count - 1]
          if (at === undefined) return
          clearTimeout(timer)
          resolve(at)
        }
        look()
      }),
    received: () => ({ columns: arrivedAt.length, bytes, corrections }),
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
