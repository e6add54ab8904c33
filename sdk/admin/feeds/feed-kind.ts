import type { SessionEnd } from '../../connection/next.ts'
import type { SessionState } from '../../connection/session-events.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import type { Timers } from '../../timers.ts'
import type { FeedReplies } from '../generated/feed-messages.ts'
import type { FeedMessage } from './feed-link.ts'
import type { SeqTracker } from './seq-tracker.ts'

/** Who opens feeds: a sign-in with a password or by an identity provider. */
export type FeedCaller = Pick<SignIn, 'url' | 'token' | 'renew' | 'onRenewed' | 'fetch'>

/** What any feed may be told; all of it can be left out, but `WebSocket` in Node 20. */
export type FeedOptions = {
  /** That of `ws`, in Node 20; a browser and Node 22 have their own. */
  readonly WebSocket?: unknown
  /** Gives up waiting for the first message. */
  readonly signal?: AbortSignal
  readonly timers?: Timers
  readonly random?: () => number
}

/** What every feed tells of beside its own messages. */
export type FeedStateEvents = {
  readonly state: SessionState
  /** The server would not take a message; answers to edits are not told here. */
  readonly refused: FeedReplies['error']
  readonly renewed: FeedReplies['renewed']
}

/** What differs from one kind of feed to another. */
export type FeedKind = {
  /** Of the upgrade. */
  readonly path: string
  /** Of a GET that the server refuses for the same reason: browsers do not tell what was answered to an upgrade. */
  readonly probe: string
  /** The types of its messages. */
  readonly events: readonly string[]
  /** Where its messages are numbered otherwise than one by one. */
  readonly seqs?: SeqTracker
  /** Whether this message begins the feed. */
  readonly begins: (message: FeedMessage) => boolean
  /** Said each time that the feed is opened. */
  readonly hello?: () => object | undefined
  /** Takes every message before anybody hears of it, and says where the feed is over for good. */
  readonly receive: (message: FeedMessage) => SessionEnd | undefined
  /** A connection is gone: what was asked on it will not be answered. */
  readonly onLost: (text: string) => void
}
