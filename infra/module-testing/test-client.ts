import { createRealtimeMetrics } from '../../realtime/metrics/realtime-metrics.ts'
import type { GameLoop } from '../../realtime/node/game-loop.ts'
import { ClientMessage } from '../../realtime/protocol/generated/gatehouse.ts'
import type { ClientMessageKind, ServerMessageKind } from '../../realtime/protocol/messages.ts'
import { createConnection } from '../../realtime/socket/player-connection.ts'
import type { ServerConfig } from '../../shared/domain/configs/server/server-config.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { readFrames } from './frames.ts'

export type TestNode = { readonly loop: GameLoop; readonly settings: () => ServerConfig['realtime']; readonly clock: Clock }

/** A connection to a game loop without a network: the server reads and writes the bytes of real frames. */
export type TestClient = {
  send(message: ClientMessageKind): void
  /** The connection is lost, without a farewell. */
  drop(): void
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
