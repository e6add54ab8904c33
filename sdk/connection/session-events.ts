import type { ServerMessageKind } from '../protocol/frames.ts'
import type { Welcome } from '../protocol/generated/gatehouse.ts'
import type { SessionEnd } from './next.ts'

/** Where a session is: what a page shows of its connection. */
export type SessionState =
  | { readonly name: 'connecting' }
  | { readonly name: 'live' }
  /** The connection was lost and is being made again. */
  | { readonly name: 'resuming' }
  /** The next attempt comes at `retryAt` (milliseconds since the Unix epoch), or sooner when the network is back. */
  | { readonly name: 'waiting'; readonly retryAt: number; readonly text: string }
  | { readonly name: 'ended'; readonly reason: SessionEnd['reason']; readonly text: SessionEnd['text'] }

type MessageEvents = { readonly [M in ServerMessageKind as M['$case']]: M['value'] }

/** What a session tells of, by name: the server's messages as they come, and what becomes of the connection. */
export type SessionEvents = Omit<MessageEvents, 'chatMessage' | 'error' | 'editResult' | 'commandResult' | 'pong'> & {
  readonly state: SessionState
  /** The session goes on after a lost connection, on another one: a Welcome that is not the first, told after `welcome`. */
  readonly resumed: Welcome
  readonly chat: MessageEvents['chatMessage']
  /** The server would not take a message. */
  readonly refused: MessageEvents['error']
}
