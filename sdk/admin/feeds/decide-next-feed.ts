import { decideAfterRefusal, type Next, renewBefore, type SessionEnd, waitBefore } from '../../connection/next.ts'
import type { FeedLinkEnd } from './feed-link.ts'

/** The last error that the server sent before it closed. */
export type FeedError = { readonly code: string; readonly message: string }

/** The history of a feed connection that has ended. */
export type FeedPast = {
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
export const decideNextFeed = (end: FeedLinkEnd, { wasLive, isFresh, error }: FeedPast): Next => {
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
