import { findUrl } from '../http/ask.ts'
import type { LinkEnd } from './link.ts'
import { decideAfterRefusal, type Next, renewBefore, type SessionEnd, waitBefore } from './next.ts'

/** The meaning of each close code (PROTOCOL.md section 1, RFC 6455 section 7.4.1), and the reason of the end. */
const meanings: Readonly<Record<number, readonly [reason: SessionEnd['reason'], text: string]>> = {
  1000: ['left', 'The session was left.'],
  1001: ['going-away', 'The server is shutting down.'],
  1002: ['protocol-error', 'The server did not understand this client.'],
  1006: ['connection-lost', 'The connection was lost.'],
  1007: ['protocol-error', 'The server did not understand this client.'],
  1008: ['sign-in-refused', 'The sign-in was refused.'],
  1009: ['message-too-large', 'A message was too large.'],
  1013: ['unavailable', 'The server is full, or cannot check sign-ins at the moment. Try again later.'],
  4001: ['displaced', 'The same account connected from somewhere else.'],
  4002: ['protocol-version', 'The server uses another version of the protocol. Use the gatehouse-client of its release.'],
  4003: ['removed', 'You were kicked, or your account or sign-in has ended.'],
  4008: ['too-slow', 'Messages were not read fast enough.'],
  4029: ['too-many-messages', 'Too many messages were sent in a short time.'],
}

/** Codes without an automatic reconnect. */
const finalCodes: ReadonlySet<number> = new Set([1000, 1002, 1007, 4001, 4002, 4003])

const describe = ({ code, reason, kick, error }: LinkEnd): SessionEnd => {
  const [known, meaning] = meanings[code] ?? ['connection-closed', `The connection closed with code ${code}.`]
  // The code would mean another connection, but the server gives the actual reason.
  if (kick?.code === 'in-use') return { reason: kick.code, text: kick.reason }
  const detail = kick?.reason ?? (reason || error?.message)
  const text = detail === undefined || detail === '' || meaning.includes(detail) ? meaning : `${meaning} (${detail})`
  return { reason: kick?.code || known, text }
}

/** The address to which the server handed the session over. A resume token never leaves encryption because a server says so. */
const findNextUrl = ({ kick }: LinkEnd, url: string): string | undefined => {
  const next = kick?.resumeUrl ?? ''
  const protocol = findUrl(next)?.protocol
  return protocol === 'https:' || (protocol === 'http:' && !url.startsWith('https:')) ? next.replace(/\/+$/, '') : undefined
}

/** The credential of a connection. */
export type Credential = 'resume-token' | 'token' | 'fresh-token'

/**
 * Decides how to continue after a connection to `url` with this credential has ended. The returned `url` is where the session
 * is now.
 */
export const decideNext = (end: LinkEnd, url: string, opened: Credential): Next & { readonly url?: string } => {
  if (end.refusal !== undefined) return decideAfterRefusal(end.refusal, true)
  if (end.error?.name === 'NotGatehouseError') return { over: { reason: 'not-gatehouse', text: end.error.message } }
  const over = describe(end)
  if (finalCodes.has(end.code) || end.kick?.code === 'banned') return { over }
  if (end.code === 1008) {
    if (opened === 'fresh-token') return { over }
    return { ...renewBefore(over), token: opened === 'resume-token' ? 'same' : 'fresh' }
  }
  const nextUrl = findNextUrl(end, url)
  if (nextUrl !== undefined) return { ...waitBefore(over, end.kick?.retryAfterMs), wait: 'exact', url: nextUrl }
  return waitBefore(over, (end.kick?.retryAfterSeconds ?? 0) * 1_000)
}

/**
 * The codes with which a server closes a connection to the game; `docs/protocol-notes.md` has what to do for each. 1006 is a lost
 * connection. A newer server may send others.
 */
export type CloseCode =
  | (1000 | 1001 | 1002 | 1006 | 1007 | 1008 | 1009 | 1013 | 4001 | 4002 | 4003 | 4008 | 4029)
  | (number & Record<never, never>)
