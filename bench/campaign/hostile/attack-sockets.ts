import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { ClientMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import type { Ground } from './attack.ts'

export type Message = NonNullable<ClientMessage['kind']>

export const encode = (kind: Message): Buffer => Buffer.from(ClientMessage.encode({ kind }).finish())

/** An address other than that of honest clients, if the loopback has several, so that limits by address do not hit both. */
const localAddress = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {}

/** A plain socket that is silent and survives all errors. */
export const openPlain = ({ host, port }: Ground): Socket => {
  const socket = connect({ host, port, ...localAddress })
  socket.on('error', () => socket.destroy())
  return socket
}

const upgradeLines = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

/** The head of an upgrade to `path`. */
export const upgradeHead = (path = '/realtime'): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${upgradeLines.join('\r\n')}\r\n\r\n`

/** A plain socket with an upgrade; frames are written by hand. */
export const openUpgraded = (ground: Ground, path?: string): Socket => {
  const socket = openPlain(ground)
  socket.write(upgradeHead(path))
  return socket
}

/** One masked frame, with a mask of zeros. */
export const frame = (opcode: number, payload: Buffer, isFinal = true): Buffer => {
  const first = (isFinal ? 0x80 : 0) | opcode
  const mask = Buffer.alloc(4)
  if (payload.length < 126) return Buffer.concat([Buffer.from([first, 0x80 | payload.length]), mask, payload])
  const head = Buffer.alloc(payload.length < 65_536 ? 4 : 10)
  head[0] = first
  head[1] = 0x80 | (payload.length < 65_536 ? 126 : 127)
  if (payload.length < 65_536) head.writeUInt16BE(payload.length, 2)
  else head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, mask, payload])
}

export const opcodes = { part: 0, text: 1, binary: 2, ping: 9, pong: 10 } as const

export const connectMessage = (token: string): Buffer =>
  encode({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'hostile' } })

/** A player in the game by the library; undefined on a refusal. */
export const enterGame = async ({ url }: Ground, token: string): Promise<WebSocket | undefined> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`, {
    perMessageDeflate: false,
    maxPayload: 0,
    ...localAddress,
  })
  socket.on('error', () => undefined)
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true))
    socket.once('close', () => resolve(false))
  })
  if (isOpen) socket.send(connectMessage(token))
  return isOpen ? socket : undefined
}

/** Calls `act` repeatedly, with pauses of `pauseMs`. */
export const repeat = async ({ isOver }: Ground, pauseMs: number, act: (turn: number) => Promise<void> | void): Promise<void> => {
  for (let turn = 0; !isOver(); turn += 1) {
    await act(turn)
    await pause(pauseMs)
  }
}

/** Connects a player for each token. Each calls `act` repeatedly, and reconnects after it was disconnected. */
export const asPlayers = async (
  ground: Ground,
  pauseMs: number,
  act: (socket: WebSocket, turn: number) => void,
): Promise<void> => {
  const play = async (token: string): Promise<void> => {
    let socket: WebSocket | undefined
    await repeat(ground, pauseMs, async (turn) => {
      if (socket?.readyState !== WebSocket.OPEN) socket = await enterGame(ground, token)
      if (socket !== undefined) act(socket, turn)
    })
    socket?.terminate()
  }
  await Promise.all(ground.tokens.map(play))
}

/** Keeps `count` sockets open, and replaces closed ones. */
export const keepOpen = async (
  ground: Ground,
  count: number,
  open: () => Socket,
  act: (socket: Socket, turn: number) => void = () => undefined,
): Promise<void> => {
  const sockets: Socket[] = []
  await repeat(ground, 100, (turn) => {
    for (let i = 0, opened = 0; i < count && opened < 200; i += 1) {
      if (sockets[i] === undefined || sockets[i]?.destroyed === true) {
        sockets[i] = open()
        opened += 1
      }
    }
    for (const socket of sockets) if (!socket.destroyed && socket.writableLength < 1_000_000) act(socket, turn)
  })
  for (const socket of sockets) socket.destroy()
}
