import { WebSocket } from 'ws'
import { ClientMessage, ServerMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import type { ClientMessageKind, FrameKind } from '../../../realtime/protocol/messages.ts'
import { waitFor } from '../time/wait-for.ts'
import { openWebSocket } from './client-frames.ts'
import { createPlayersModel } from './players-model.ts'

/** A message of the server in the JSON mapping, from either kind of frame. */
export type Received = { readonly case: string; readonly value: Record<string, unknown>; readonly isBinary: boolean }

/** A client on a real socket that keeps all messages. */
export type RealtimeClient = Awaited<ReturnType<typeof openRealtimeClient>>

const read = (data: Buffer, isBinary: boolean): Received => {
  const message = isBinary ? ServerMessage.toJSON(ServerMessage.decode(data)) : JSON.parse(data.toString())
  const [found] = Object.entries(message as Record<string, Record<string, unknown>>)
  if (found === undefined) throw new Error('an empty message')
  return { case: found[0], value: found[1], isBinary }
}

export const openRealtimeClient = async (url: string, kind: FrameKind = 'binary') => {
  const socket = openWebSocket(url)
  const received: Received[] = []
  const model = createPlayersModel()
  let taken = 0
  let end: { code: number; reason: string } | undefined
  socket.on('error', () => {})
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const message = read(data, isBinary)
    received.push(message)
    if (message.case !== 'players' || !isBinary) return
    const { kind: players } = ServerMessage.decode(data)
    if (players?.$case === 'players') model.apply(players.value)
  })
  socket.on('close', (code, reason) => {
    end = { code, reason: reason.toString() }
  })
  await waitFor(() => socket.readyState !== WebSocket.CONNECTING)

  const sendRaw = (data: Uint8Array | string): void => socket.send(data)
  const client = {
    socket,
    received,
    model,
    sendRaw,
    send: (message: ClientMessageKind): void =>
      sendRaw(
        kind === 'binary'
          ? ClientMessage.encode({ kind: message }).finish()
          : JSON.stringify(ClientMessage.toJSON({ kind: message })),
      ),
    connect: (token: string, more: { resumeToken?: string; protocolVersion?: number } = {}): void =>
      client.send({ $case: 'connect', value: { token, protocolVersion: 1, clientName: 'test', ...more } }),
    command: (text: string, seq = 1): void => client.send({ $case: 'command', value: { seq, text } }),
    move: (x: number, z: number, seq = 0, y = 64): void =>
      client.send({ $case: 'move', value: { seq, x, y, z, yaw: 0, pitch: 0 } }),
    /** Returns the next message of that kind, and drops those before it. */
    next: async (name: string): Promise<Record<string, unknown>> => {
      const find = () => received.findIndex((message, i) => i >= taken && message.case === name)
      await waitFor(() => find() >= 0)
      taken = find() + 1
      return received[taken - 1]?.value ?? {}
    },
    count: (name: string): number => received.filter((message) => message.case === name).length,
    /** Resolves with the code and the reason when the server closes the connection. */
    closed: async (): Promise<{ code: number; reason: string }> => {
      await waitFor(() => end !== undefined)
      return end ?? { code: 0, reason: '' }
    },
    isOpen: (): boolean => end === undefined,
    terminate: (): void => socket.terminate(),
  }
  return client
}
