import { WebSocket } from 'ws'
import { type Link, type LinkEnd, openLink } from '../../../sdk/connection/link.ts'
import { findSocketConstructor } from '../../../sdk/connection/socket.ts'
import { type ClientMessageKind, protocolVersion, type ServerMessageKind } from '../../../sdk/protocol/frames.ts'
import type { Timers } from '../../../sdk/timers.ts'
import { waitFor } from '../../support/time/wait-for.ts'

/** A library that waits for ever and never comes back: tests say themselves how long they wait, and see what became of a connection. */
export const noTimers: Timers = { now: Date.now, after: () => () => undefined, background: () => () => undefined }

type Kind = ServerMessageKind['$case']
type ValueOf<K extends Kind> = Extract<ServerMessageKind, { readonly $case: K }>['value']

/** What a connection begins with. */
export type Credential = { readonly token: string } | { readonly resumeToken: string }

/** One connection of the client library, and all that came on it; closed, it stays closed. */
export type PlayerLink = ReturnType<typeof openPlayerLink>

/** Connects at a server's base address; Connect is under way. */
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
    /** The next message of that kind that was not taken yet; those before it count as taken. */
    next: async <K extends Kind>(name: K): Promise<ValueOf<K>> => {
      const find = () => received.findIndex((message, i) => i >= taken && message.$case === name)
      await waitFor(() => find() >= 0)
      taken = find() + 1
      return received[taken - 1]?.value as ValueOf<K>
    },
    /** Every message of that kind so far. */
    all: <K extends Kind>(name: K): readonly ValueOf<K>[] => received.filter(is(name)).map(({ value }) => value as ValueOf<K>),
    count: (name: Kind): number => received.filter(is(name)).length,
    /** How the server closed it. */
    closed: async (): Promise<{ readonly code: number; readonly reason: string }> => {
      await waitFor(() => end !== undefined)
      return { code: end?.code ?? 0, reason: end?.reason ?? '' }
    },
    isOpen: (): boolean => end === undefined,
    /** Without a word, as a lost network does. */
    terminate: (): void => link.drop(),
  }
}
