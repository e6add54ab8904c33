import { decideAfterRefusal, type Next, renewBefore, type SessionEnd, waitBefore } from '../../connection/next.ts'
import type { FeedLinkEnd } from './feed-link.ts'

/** What the server said before it closed. */
export type FeedError = { readonly code: string; readonly message: string }

/** How the connection of a feed was, up to its end. */
export type FeedPast = {
  /** The server had begun to tell. */
  readonly wasLive: boolean
  readonly isFresh: boolean
  /** The last error that the server told of. */
  readonly error?: FeedError
}

const meanings: Readonly<Record<number, readonly [reason: string, text: string]>> = {
  1001: ['going-away', 'The server is going away.'],
  1006: ['connection-lost', 'The connection was lost.'],
  1008: ['sign-in-refused', 'The sign-in was refused.'],
  1009: ['message-too-large', 'A message was too large.'],
  1013: ['unavailable', 'The sign-in cannot be checked at the moment.'],
  4008: ['too-slow', 'Messages were not read fast enough.'],
  4029: ['too-many-messages', 'Too many messages were sent in too short a time.'],
}

/** A server whose reader or writer was too fast or too slow is left alone for a moment. */
const pauseMs: Readonly<Record<number, number>> = { 4008: 2_000, 4029: 2_000 }

const describe = ({ code, reason, error }: FeedLinkEnd): SessionEnd => {
  const [known, text] = meanings[code] ?? [reason || 'closed', `The feed was closed with code ${code}.`]
  return { reason: known, text: error === undefined ? text : `${text} (${error.message})` }
}

/** What to do when a connection to a feed has ended. */
export const decideNextFeed = (end: FeedLinkEnd, { wasLive, isFresh, error }: FeedPast): Next => {
  if (end.refusal !== undefined) return decideAfterRefusal(end.refusal, isFresh)
  const over = describe(end)
  if (end.error?.name === 'NotGatehouseError') return { over: { reason: 'not-gatehouse', text: end.error.message } }
  if (end.code === 1000) return { over }
  if (end.code !== 1008) return waitBefore(over, pauseMs[end.code])
  const said = error === undefined ? over : { reason: error.code, text: error.message }
  // One that was live lived on a token that was fresh once.
  const mayRenew = said.reason === 'token-expired' || said.reason === 'invalid-token' || error === undefined
  return mayRenew && (wasLive || !isFresh) ? renewBefore(said) : { over: said }
}
