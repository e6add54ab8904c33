import type { SessionEnd } from '../../connection/next.ts'
import type { SessionState } from '../../connection/session-events.ts'
import type { ConnectionLostError } from '../../errors.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import type { Timers } from '../../timers.ts'
import type { FeedReplies } from '../generated/feed-messages.ts'
import type { FeedMessage } from './feed-link.ts'
import type { SeqTracker } from './seq-tracker.ts'

/** The caller of feeds: a sign-in with a password or through an identity provider. */
export type FeedCaller = Pick<SignIn, 'url' | 'token' | 'renew' | 'onRenewed' | 'fetch'>

/** Options of any feed. All are optional, except `WebSocket` in Node 20. */
export type FeedOptions = {
  /** The one of `ws`, in Node 20. Browsers and Node 22 have their own. */
  readonly WebSocket?: unknown
  /** Stops waiting for the first message. */
  readonly signal?: AbortSignal
  readonly timers?: Timers
  readonly random?: () => number
}

/** Events of every feed besides its messages. */
export type FeedStateEvents = {
  readonly state: SessionState
  /** The server refused a message. Answers to edits are not reported here. */
  readonly refused: FeedReplies['error']
  readonly renewed: FeedReplies['renewed']
}

/** The differences between kinds of feeds. */
export type FeedKind = {
  /** Path of the upgrade. */
  readonly path: string
  /** Path of a GET that the server refuses for the same reason: browsers do not show the answer to an upgrade. */
  readonly probe: string
  /** The types of its messages. */
  readonly events: readonly string[]
  /** For messages that are not numbered one by one. */
  readonly seqs?: SeqTracker
  /** Whether this message begins the feed. */
  readonly begins: (message: FeedMessage) => boolean
  /** The message to send each time the feed opens. */
  readonly hello?: () => object | undefined
  /** Receives every message before listeners do. Returns the end of the feed if it is final. */
  readonly receive: (message: FeedMessage) => SessionEnd | undefined
  /** Called when a connection is lost. Pending requests on it get no answer. */
  readonly onLost: (error: ConnectionLostError) => void
}
