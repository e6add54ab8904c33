import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import {
  ClientMessage,
  type EditBlocks,
  type Move,
  ServerMessage,
  Welcome,
} from '../../../realtime/protocol/generated/gatehouse.ts'
import { blockTypes, groundMessage } from './block-messages.ts'

type ServerMessageKind = NonNullable<ServerMessage['kind']>

export type BlockServerOptions = {
  /** Height of the grass at coordinates of any column. */
  readonly height?: (x: number, z: number) => number
  /** The reason to refuse an edit, or undefined. */
  readonly refuseEdit?: (edit: EditBlocks) => string | undefined
  /** The reason to refuse a move, or undefined. */
  readonly refuseMove?: (move: Move) => string | undefined
}

/** A server of the protocol with a world of four columns around 0,0; a test controls its messages. */
export const startBlockServer = async (options: BlockServerOptions = {}) => {
  const { height = () => 63, refuseEdit = () => undefined, refuseMove = () => undefined } = options
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/realtime' })
  await once(server, 'listening')
  const moves: Move[] = []
  let position = { x: 0.5, y: 64, z: 0.5, yaw: 0, pitch: 0 }

  const answer = (message: NonNullable<ClientMessage['kind']>, send: (message: ServerMessageKind) => void): void => {
    if (message.$case === 'connect') {
      send({
        $case: 'welcome',
        value: { ...Welcome.decode(new Uint8Array(0)), displayName: 'ann', position, blocks: blockTypes },
      })
      for (const cx of [-1, 0]) for (const cz of [-1, 0]) send({ $case: 'chunk', value: groundMessage(cx, cz, height) })
    }
    if (message.$case === 'command') {
      const { seq, text } = message.value
      send({ $case: 'commandResult', value: { seq, ok: true, text: `The server was asked ${text}.`, data: undefined } })
    }
    if (message.$case === 'ping') send({ $case: 'pong', value: { nonce: message.value.nonce, serverTime: 1 } })
    if (message.$case === 'move') {
      const { seq, ...wanted } = message.value
      const reason = refuseMove(message.value)
      moves.push(message.value)
      if (reason === undefined) position = wanted
      else send({ $case: 'correction', value: { seq, position, reason } })
    }
    if (message.$case === 'editBlocks') {
      const { seq, edits } = message.value
      const reason = refuseEdit(message.value)
      if (reason === undefined) send({ $case: 'blocksChanged', value: { edits, by: 'ann' } })
      if (reason === 'never') send({ $case: 'error', value: { code: 'too-many', message: 'Not so fast.', seq } })
      else send({ $case: 'editResult', value: { seq, ok: reason === undefined, reason: reason ?? '' } })
    }
  }

  const sends: ((message: ServerMessageKind) => void)[] = []
  server.on('connection', (socket) => {
    const send = (message: ServerMessageKind) => socket.send(ServerMessage.encode({ kind: message }).finish())
    sends.push(send)
    socket.on('message', (data: Buffer) => {
      const { kind } = ClientMessage.decode(data)
      if (kind !== undefined) answer(kind, send)
    })
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    moves,
    /** Sends to every connection. */
    say: (message: ServerMessageKind) => {
      for (const send of sends) send(message)
    },
    close: async () => {
      for (const socket of server.clients) socket.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}
