import { WebSocket } from 'ws'
import { type Link, type LinkEnd, openLink } from '../../../sdk/connection/link.ts'
import { findSocketConstructor } from '../../../sdk/connection/socket.ts'
import { ProblemError } from '../../../sdk/errors.ts'
import { type ClientMessageKind, protocolVersion, type ServerMessageKind } from '../../../sdk/protocol/frames.ts'
import type { Timers } from '../../../sdk/timers.ts'
import { waitFor } from '../../support/time/wait-for.ts'

/**
 * Timers that never fire: the library neither times out nor reconnects, so that tests control waits and see the end of a
 * connection.
 */
export const noTimers: Timers = { now: Date.now, after: () => () => undefined, background: () => () => undefined }

/** Whether the error is a 503, as when a busy machine delays a node for more than 1.5 s. */
export const isPutOff = (error: unknown): boolean => error instanceof ProblemError && error.problem.status === 503

type Kind = ServerMessageKind['$case']
type ValueOf<K extends Kind> = Extract<ServerMessageKind, { readonly $case: K }>['value']

/** The credential of a connection. */
export type Credential = { readonly token: string } | { readonly resumeToken: string }

/** One connection of the client library, with all its messages; it never reconnects. */
export type PlayerLink = ReturnType<typeof openPlayerLink>

/** Starts a connection to a server's base address, without waiting for it. */
export const openPlayerLink = (url: string, credential: Credential) => {
  const received: ServerMessageKind[] = []
  let taken = 0
  let end: LinkEnd | undefined
  const link: Link = openLink({
    url,
    path: '/realtime',
    WebSocket: findSocketConstructor(WebSocket),
    timers: noTimers,
    hello: { token: '', ...credential, protocolVersion, clientName: 'test' },
    onMessage: (message) => received.push(message),
    onEnd: (ended) => {
      end = ended
    },
  })
  const send = (message: ClientMessageKind): void => link.send(message)
  const is =
    <K extends Kind>(name: K) =>
    (message: ServerMessageKind): message is Extract<ServerMessageKind, { readonly $case: K }> =>
      message.$case === name
  return {
    received,
    send,
    command: (text: string, seq = 1): void => send({ $case: 'command', value: { seq, text } }),
    move: (x: number, z: number, seq = 0, y = 64): void => send({ $case: 'move', value: { seq, x, y, z, yaw: 0, pitch: 0 } }),
    /** Returns the next message of that kind, and drops those before it. */
    next: async <K extends Kind>(name: K): Promise<ValueOf<K>> => {
      const find = () => received.findIndex((message, i) => i >= taken && message.$case === name)
      await waitFor(() => find() >= 0)
      taken = find() + 1
      return received[taken - 1]?.value as ValueOf<K>
    },
    /** Every message of that kind so far. */
    all: <K extends Kind>(name: K): readonly ValueOf<K>[] => received.filter(is(name)).map(({ value }) => value as ValueOf<K>),
    count: (name: Kind): number => received.filter(is(name)).length,
    /** Resolves with the code and the reason when the server closes it. */
    closed: async (): Promise<{ readonly code: number; readonly reason: string }> => {
      await waitFor(() => end !== undefined)
      return { code: end?.code ?? 0, reason: end?.reason ?? '' }
    },
    isOpen: (): boolean => end === undefined,
    /** Whether the upgrade was refused with 503: the server is to be tried again. */
    isPutOff: (): boolean => isPutOff(end?.refusal),
    /** Drops the connection without a Close frame, like a lost network. */
    terminate: (): void => link.drop(),
  }
}
