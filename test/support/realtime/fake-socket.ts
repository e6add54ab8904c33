import { createRealtimeMetrics } from '../../../realtime/metrics/realtime-metrics.ts'
import { ClientMessage } from '../../../realtime/protocol/generated/gatehouse.ts'
import type { ClientMessageKind, ServerMessageKind } from '../../../realtime/protocol/messages.ts'
import type { SessionConnection } from '../../../realtime/sessions/session.ts'
import type { SocketPort } from '../../../realtime/socket/connection.ts'
import { createConnection } from '../../../realtime/socket/player-connection.ts'
import type { RealtimeFixture } from './realtime-fixture.ts'
import { readMessages } from './split-frames.ts'

type ServerValues = { readonly [M in ServerMessageKind as M['$case']]: M['value'] }

/** A socket in memory whose client reads everything at once. */
export type FakeClient = {
  readonly connection: SessionConnection
  readonly socket: SocketPort & { buffered: number; pings: number; closedWith: number | undefined; isTerminated: boolean }
  readonly received: ServerMessageKind[]
  send(message: ClientMessageKind): void
  find<C extends keyof ServerValues>(name: C): ServerValues[C] | undefined
}

/** A client of the fixture's game loop, without network; its frames arrive at once. */
export const openFakeClient = ({ loop, settings, clock }: RealtimeFixture): FakeClient => {
  const received: ServerMessageKind[] = []
  const socket: FakeClient['socket'] = {
    buffered: 0,
    pings: 0,
    closedWith: undefined,
    isTerminated: false,
    isOpen: () => true,
    write: (frame) => {
      received.push(...readMessages(frame))
    },
    close: (code) => {
      socket.closedWith = code
      connection.ended()
    },
    terminate: () => {
      socket.isTerminated = true
      connection.ended()
    },
    ping: () => {
      socket.pings += 1
    },
    bufferedBytes: () => socket.buffered,
  }
  const connection = createConnection({
    socket,
    events: loop.connections,
    limits: settings,
    clock,
    traffic: loop.traffic,
    lateMs: loop.lateMs,
    metrics: createRealtimeMetrics(),
    place: { ask: () => {}, leave: () => {}, comeBack: () => {} },
  })
  return {
    connection,
    socket,
    received,
    send: (message) => connection.receive(ClientMessage.encode({ kind: message }).finish(), 'binary'),
    find: <C extends keyof ServerValues>(name: C) =>
      received.findLast((message) => message.$case === name)?.value as ServerValues[C] | undefined,
  }
}
