import { createRealtimeMetrics } from '../../realtime/metrics/realtime-metrics.ts'
import type { GameLoop } from '../../realtime/node/game-loop.ts'
import { ClientMessage, ServerMessage } from '../../realtime/protocol/generated/gatehouse.ts'
import type { ClientMessageKind, ServerMessageKind } from '../../realtime/protocol/messages.ts'
import { createConnection } from '../../realtime/socket/player-connection.ts'
import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import type { Clock } from '../../shared/kernel/clock.ts'

export type TestNode = { readonly loop: GameLoop; readonly settings: () => ServerConfig['realtime']; readonly clock: Clock }

/** A connection to a game loop without a network: the server reads and writes the bytes of real frames. */
export type TestClient = {
  send(message: ClientMessageKind): void
  /** The connection is lost, without a farewell. */
  drop(): void
}

/** The header and the payload of the WebSocket frame that begins at `at`, in bytes. */
const lengthsOf = (bytes: Uint8Array, at: number): { readonly header: number; readonly payload: number } => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at)
  const short = view.getUint8(1)
  if (short < 126) return { header: 2, payload: short }
  return short === 126 ? { header: 4, payload: view.getUint16(2) } : { header: 10, payload: Number(view.getBigUint64(2)) }
}

/** The messages in the binary frames that the server wrote. */
const readFrames = (bytes: Uint8Array): readonly ServerMessageKind[] => {
  const messages: ServerMessageKind[] = []
  for (let at = 0; at < bytes.length; ) {
    const { header, payload } = lengthsOf(bytes, at)
    const { kind } = ServerMessage.decode(bytes.subarray(at + header, at + header + payload))
    if (kind !== undefined) messages.push(kind)
    at += header + payload
  }
  return messages
}

export const openTestClient = (
  { loop, settings, clock }: TestNode,
  received: (message: ServerMessageKind) => void,
): TestClient => {
  let isOpen = true
  const end = (): void => {
    isOpen = false
    connection.ended()
  }
  const connection = createConnection({
    socket: {
      isOpen: () => isOpen,
      write: (frame) => {
        for (const message of readFrames(frame)) received(message)
      },
      close: end,
      terminate: end,
      ping: () => {},
      bufferedBytes: () => 0,
    },
    events: loop.connections,
    limits: settings,
    clock,
    traffic: loop.traffic,
    lateMs: loop.lateMs,
    metrics: createRealtimeMetrics(),
    place: { ask: () => {}, leave: () => {}, comeBack: () => {} },
  } satisfies Parameters<typeof createConnection>[0])
  return {
    send: (message) => connection.receive(ClientMessage.encode({ kind: message }).finish(), 'binary'),
    drop: end,
  }
}
