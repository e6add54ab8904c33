import type { Attempt, Report } from '../../connection/keep-connected.ts'
import { decideAfterRefusal, type Next, renewBefore, type SessionEnd, waitBefore } from '../../connection/next.ts'
import type { SessionState } from '../../connection/session-events.ts'
import type { SocketConstructor } from '../../connection/socket.ts'
import { type ConnectionLostError, NotGatehouseError, ProblemError, UnreachableError } from '../../errors.ts'
import { ask } from '../../http/ask.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import type { Timers } from '../../timers.ts'
import type { FeedReplies } from '../generated/feed-messages.ts'
import { type FeedLink, type FeedLinkEnd, type FeedMessage, openFeedLink } from './feed-link.ts'
import type { SeqTracker } from './seq-tracker.ts'

/** The last error that the server sent before it closed. */
type FeedError = { readonly code: string; readonly message: string }

/** The history of a feed connection that has ended. */
type FeedPast = {
  /** The server had sent the first message. */
  readonly wasLive: boolean
  readonly isFresh: boolean
  /** The last error from the server. */
  readonly error?: FeedError
}

const meanings: Readonly<Record<number, readonly [reason: SessionEnd['reason'], text: string]>> = {
  1001: ['going-away', 'The server is shutting down.'],
  1006: ['connection-lost', 'The connection was lost.'],
  1008: ['sign-in-refused', 'The sign-in was refused.'],
  1009: ['message-too-large', 'A message was too large.'],
  1013: ['unavailable', 'The sign-in cannot be checked at the moment.'],
  4008: ['too-slow', 'Messages were not read fast enough.'],
  4029: ['too-many-messages', 'Too many messages were sent in a short time.'],
}

/** A pause after a close code for a reader or writer that was too slow or too fast. */
const pauseMs: Readonly<Record<number, number>> = { 4008: 2_000, 4029: 2_000 }

const describe = ({ code, reason, error }: FeedLinkEnd): SessionEnd => {
  const [known, text] = meanings[code] ?? [reason || 'closed', `The feed was closed with code ${code}.`]
  return { reason: known, text: error === undefined ? text : `${text} (${error.message})` }
}

/** Decides how to continue after a feed connection has ended. */
const decideNextFeed = (end: FeedLinkEnd, { wasLive, isFresh, error }: FeedPast): Next => {
  if (end.refusal !== undefined) return decideAfterRefusal(end.refusal, isFresh)
  const over = describe(end)
  if (end.error?.name === 'NotGatehouseError') return { over: { reason: 'not-gatehouse', text: end.error.message } }
  if (end.code === 1000) return { over }
  if (end.code !== 1008) return waitBefore(over, pauseMs[end.code])
  const said = error === undefined ? over : { reason: error.code, text: error.message }
  // A token that was accepted once can be renewed once more.
  const mayRenew = said.reason === 'token-expired' || said.reason === 'invalid-token' || error === undefined
  return mayRenew && (wasLive || !isFresh) ? renewBefore(said) : { over: said }
}

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

type OpenFeedOptions = {
  readonly caller: FeedCaller
  readonly kind: FeedKind
  readonly WebSocket: SocketConstructor
  readonly timers: Timers
  readonly seqs: SeqTracker
  readonly onBegin: () => void
  readonly onMessage: (message: FeedMessage) => void
  /** Called when the server ends the feed for good. */
  readonly onOver: (end: SessionEnd) => void
  /** Aborts when the feed is closed. */
  readonly over: AbortSignal
}

const readError = (message: FeedMessage): FeedError | undefined => {
  const { code, message: text } = { code: undefined, message: undefined, ...message }
  return message.type === 'error' && typeof code === 'string' && typeof text === 'string' ? { code, message: text } : undefined
}

/** If the upgrade failed without a reason, asks the server with a GET. */
const findReason = async (
  { caller, kind, over }: OpenFeedOptions,
  { token, isFresh }: Attempt,
  { lost }: Report,
  failed: Error | undefined,
): Promise<void> => {
  try {
    const { fetch, url } = caller
    await ask({ fetch, url, path: kind.probe, token, signal: over })
    lost(waitBefore({ reason: 'unreachable', text: failed?.message ?? 'The feed could not be opened.' }), failed)
  } catch (error) {
    if (over.aborted) return
    const isKnown = error instanceof ProblemError || error instanceof UnreachableError || error instanceof NotGatehouseError
    if (isKnown) lost(decideAfterRefusal(error, isFresh), error)
    else lost(waitBefore({ reason: 'unreachable', text: String(error) }), failed)
  }
}

/** Opens one connection of a feed: sends hello, resumes after the last message, and sends tokens that are renewed later. */
export const openFeed = (options: OpenFeedOptions, attempt: Attempt, report: Report): FeedLink => {
  const { caller, kind, WebSocket, timers, seqs, onBegin, onMessage, onOver } = options
  const { token, isFresh } = attempt
  let wasLive = false
  let error: FeedError | undefined

  const begin = (): void => {
    wasLive = true
    link.settle()
    const since = seqs.begin()
    if (since !== undefined) link.send({ type: 'resume', since })
    if (caller.token() !== token) link.send({ type: 'renew', token: caller.token() })
    report.live()
    onBegin()
  }
  const receive = (message: FeedMessage): void => {
    const end = kind.receive(message)
    error = readError(message) ?? error
    if (!wasLive && kind.begins(message)) begin()
    if (seqs.take(message)) onMessage(message)
    if (end !== undefined) onOver(end)
  }
  const leave = (end: FeedLinkEnd): void => {
    const isUntold = !end.wasOpen && end.error instanceof UnreachableError && end.error.failure === 'network'
    if (isUntold) void findReason(options, attempt, report, end.error)
    else report.lost(decideNextFeed(end, { wasLive, isFresh, ...(error && { error }) }), end.error)
  }
  const link = openFeedLink({
    url: caller.url,
    path: kind.path,
    token,
    WebSocket,
    timers,
    onOpen: () => {
      const hello = kind.hello?.()
      if (hello !== undefined) link.send(hello)
    },
    onMessage: receive,
    onEnd: leave,
  })
  return link
}
