import type { ServerMessageKind } from '../protocol/frames.ts'
import type { Welcome } from '../protocol/generated/gatehouse.ts'
import type { SessionEnd } from './next.ts'

/** The state of a session, for a display of the connection. */
export type SessionState =
  | { readonly name: 'connecting' }
  | { readonly name: 'live' }
  /** The connection was lost, and is being restored. */
  | { readonly name: 'resuming' }
  /** The next attempt is at `retryAt` (milliseconds since the Unix epoch), or sooner when the network returns. */
  | { readonly name: 'waiting'; readonly retryAt: number; readonly text: string }
  | { readonly name: 'ended'; readonly reason: SessionEnd['reason']; readonly text: SessionEnd['text'] }

type MessageEvents = { readonly [M in ServerMessageKind as M['$case']]: M['value'] }

/** Events of a session, by name: the server's messages as they arrive, and changes of the connection. */
export type SessionEvents = Omit<
  MessageEvents,
  'chatMessage' | 'error' | 'editResult' | 'commandResult' | 'moduleReply' | 'pong'
> & {
  readonly state: SessionState
  /** The session continues on a new connection after a lost one: every Welcome but the first, after `welcome`. */
  readonly resumed: Welcome
  readonly chat: MessageEvents['chatMessage']
  /** The server refused a message. */
  readonly refused: MessageEvents['error']
}
