import type { WebSocket } from 'ws'
import { ClientMessage } from '../../realtime/protocol/generated/gatehouse.ts'

export type LoadKind = 'gatehouse' | 'bare'
export type MovePosition = { readonly x: number; readonly y: number; readonly z: number; readonly yaw: number }

/** The joins and moves of a client of one kind of server. */
export type Joins = {
  urlOf(index: number): Promise<string>
  onOpen(socket: WebSocket, index: number): void
  isWelcome(data: Buffer): boolean
  onMessage(socket: WebSocket, data: Buffer): void
  encodeMove(index: number, position: MovePosition): Uint8Array
}

const encodeMove = (): Joins['encodeMove'] => {
  const seqs: number[] = []
  return (index, { x, y, z, yaw }) => {
    seqs[index] = (seqs[index] ?? 0) + 1
    return ClientMessage.encode({ kind: { $case: 'move', value: { seq: seqs[index] ?? 0, x, y, z, yaw, pitch: 0 } } }).finish()
  }
}

/** ServerMessage.welcome is field 1: its tag byte. */
const welcomeTag = 0x0a

const gatehouseJoins = (port: number, tokens: readonly string[]): Joins => ({
  urlOf: async () => `ws://127.0.0.1:${port}/realtime`,
  onOpen: (socket, index) => {
    const connect = { token: tokens[index] ?? '', protocolVersion: 1, clientName: 'bench', resumeToken: undefined }
    socket.send(ClientMessage.encode({ kind: { $case: 'connect', value: connect } }).finish())
  },
  isWelcome: (data) => data[0] === welcomeTag,
  onMessage: () => {},
  encodeMove: encodeMove(),
})

const bareJoins = (port: number): Joins => ({
  urlOf: async () => `ws://127.0.0.1:${port}`,
  onOpen: () => {},
  isWelcome: () => true,
  onMessage: () => {},
  encodeMove: encodeMove(),
})

export const createJoins = ({ kind, port, tokens }: { kind: LoadKind; port: number; tokens: readonly string[] }): Joins =>
  kind === 'gatehouse' ? gatehouseJoins(port, tokens) : bareJoins(port)
