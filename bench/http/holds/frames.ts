import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { ClientMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import { hostileBodies } from './hostile-bodies.ts'
import type { Stage } from './stage.ts'

const feedBytes = 524_288
const frameBytes = 65_536
const quietMs = 300
const answerMs = 2000
const firstMs = 10_000

/** One frame to the game or to the feed of the large zone. */
export type FrameCase = {
  readonly name: string
  readonly door: 'game' | 'feed'
  readonly frame: string | Uint8Array
}

/** A socket that stays open between frames, and is reopened after it was closed. */
export type Door = {
  /** Resolves once the socket is open and quiet. */
  open(): Promise<void>
  /** Sends the frame and resolves with an answer or the end of the socket: a close code, or 0. */
  send(frame: string | Uint8Array): Promise<number>
  close(): void
}

type Message = NonNullable<ClientMessage['kind']>

const encode = (kind: Message): Uint8Array => ClientMessage.encode({ kind }).finish()

const openGame = async ({ url, token }: Stage): Promise<WebSocket> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`, { perMessageDeflate: false })
  socket.on('open', () => {
    socket.send(encode({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'bench' } }))
    socket.send(encode({ $case: 'viewRadius', value: { chunks: 1 } }))
  })
  return socket
}

const openFeed = async ({ url, token, zoneId }: Stage): Promise<WebSocket> =>
  new WebSocket(`${url.replace('http', 'ws')}/api/admin/ws/instances/${zoneId}`, {
    perMessageDeflate: false,
    headers: { authorization: `Bearer ${token}` },
  })

/**
 * Resolves once messages have arrived and then stopped for a while. The next measurement is then the cost of a frame, not of a
 * join, which may be slow on new land.
 */
const calm = async (socket: WebSocket): Promise<void> => {
  const openedAt = performance.now()
  let lastAt: number | undefined
  const look = (): void => {
    lastAt = performance.now()
  }
  const isCalm = (): boolean =>
    lastAt === undefined ? performance.now() - openedAt > firstMs : performance.now() - lastAt > quietMs
  socket.on('message', look)
  while (socket.readyState <= WebSocket.OPEN && !isCalm()) await pause(20)
  socket.off('message', look)
}

/** A door that `open` opens. */
export const createDoor = (open: () => Promise<WebSocket>): Door => {
  let socket: WebSocket | undefined
  const ready = async (): Promise<WebSocket> => {
    if (socket?.readyState === WebSocket.OPEN) return socket
    socket = await open()
    socket.on('error', () => {})
    await calm(socket)
    return socket
  }
  return {
    open: async () => {
      await ready()
    },
    send: async (frame) => {
      const current = await ready()
      return new Promise((resolve) => {
        const settle = (code: number): void => {
          clearTimeout(timer)
          current.removeListener('message', onMessage)
          current.removeListener('close', settle)
          resolve(code)
        }
        const onMessage = (): void => settle(0)
        const timer = setTimeout(() => settle(0), answerMs)
        current.on('message', onMessage)
        current.on('close', settle)
        current.send(frame)
      })
    },
    close: () => socket?.terminate(),
  }
}

export const openDoors = (stage: Stage): Readonly<Record<FrameCase['door'], Door>> => ({
  game: createDoor(() => openGame(stage)),
  feed: createDoor(() => openFeed(stage)),
})

const edits = (count: number, type: string) =>
  Array.from({ length: count }, (_, index) => ({ x: index % 64, y: 90, z: Math.floor(index / 64), type }))

const command = (text: string): Uint8Array => encode({ $case: 'command', value: { seq: 1, text } })

const gameFrames: readonly (readonly [string, string | Uint8Array])[] = [
  ['256 edits out of reach', encode({ $case: 'editBlocks', value: { seq: 1, edits: edits(256, 'stone') } })],
  ['4,000 edits', encode({ $case: 'editBlocks', value: { seq: 1, edits: edits(4000, 'stone') } })],
  ['empty edits', encode({ $case: 'editBlocks', value: { seq: 1, edits: Array(32_000).fill({ x: 0, y: 0, z: 0, type: '' }) } })],
  ['unknown fields', Buffer.alloc(frameBytes - 8, Buffer.from([0xf8, 0x07, 0x01]))],
  ['names to switch off', encode({ $case: 'preferences', value: { disabledCommands: { names: Array(30_000).fill('') } } })],
  ['a command of quotes', command(`/${'"a" '.repeat(127)}`)],
  ['a command far from all', command(`/${'zq'.repeat(255)}`)],
  ['chat of 512', encode({ $case: 'chat', value: { channel: '', text: '\u{1f600}'.repeat(256) } })],
  ['text: 256 edits', JSON.stringify({ editBlocks: { seq: 1, edits: edits(256, 'stone') } })],
  ...hostileBodies(frameBytes, []).map(([what, body]): readonly [string, string] => [`text: ${what}`, body]),
]

const feedFrames: readonly (readonly [string, string])[] = [
  ['4,096 edits', JSON.stringify({ type: 'edit', ref: 1, edits: edits(4096, 'stone') })],
  ['4,096 edits of unknown kinds', JSON.stringify({ type: 'edit', ref: 1, edits: edits(4096, 'nothing') })],
  [
    '4,096 edits outside',
    JSON.stringify({
      type: 'edit',
      ref: 1,
      partial: true,
      edits: edits(4096, 'stone').map((edit) => ({ ...edit, x: 9_000_000 })),
    }),
  ],
  [
    '4,096 edits with unknown keys',
    JSON.stringify({ type: 'edit', ref: 1, edits: edits(4096, 'stone').map((edit) => ({ ...edit, extra: 1 })) }),
  ],
  ['resume from the start', JSON.stringify({ type: 'resume', since: 0 })],
  ...hostileBodies(feedBytes, []).map(([what, body]): readonly [string, string] => [what, body]),
  ...hostileBodies(feedBytes - 30, ['edits'])
    .filter(([what]) => what.startsWith('edits'))
    .map(([what, body]): readonly [string, string] => [what, `{"type":"edit","ref":1,${body.slice(1)}`]),
]

/** The most expensive frames of both kinds of socket, valid and invalid. */
export const holdFrames: readonly FrameCase[] = [
  ...gameFrames.map(([name, frame]) => ({ name: `frame to the game: ${name}`, door: 'game' as const, frame })),
  ...feedFrames.map(([name, frame]) => ({ name: `message to a feed: ${name}`, door: 'feed' as const, frame })),
]
