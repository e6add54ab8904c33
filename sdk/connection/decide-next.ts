import { findUrl } from '../http/find-url.ts'
import type { LinkEnd } from './link.ts'
import { decideAfterRefusal, type Next, renewBefore, type SessionEnd, waitBefore } from './next.ts'

/** What each close code means (PROTOCOL.md section 1, RFC 6455 section 7.4.1), and the reason of an end by it. */
const meanings: Readonly<Record<number, readonly [reason: string, text: string]>> = {
  1000: ['left', 'The session was left.'],
  1001: ['going-away', 'The server is going away.'],
  1002: ['protocol-error', 'The server did not understand this client.'],
  1006: ['connection-lost', 'The connection was lost.'],
  1007: ['protocol-error', 'The server did not understand this client.'],
  1008: ['sign-in-refused', 'The sign-in was refused.'],
  1009: ['message-too-large', 'A message was too large.'],
  1013: ['unavailable', 'The server is full, or cannot check sign-ins at the moment.'],
  4001: ['displaced', 'The same account connected from somewhere else.'],
  4002: ['protocol-version', 'The server speaks another version of the protocol: use the gatehouse-client that belongs to it.'],
  4003: ['removed', 'You were kicked, or the account or the sign-in has ended.'],
  4008: ['too-slow', 'Messages were not read fast enough.'],
  4029: ['too-many-messages', 'Too many messages were sent in too short a time.'],
}

/** Nobody comes back after these by themselves. */
const finalCodes: ReadonlySet<number> = new Set([1000, 1002, 1007, 4001, 4002, 4003])

const describe = ({ code, reason, kick, error }: LinkEnd): SessionEnd => {
  const [known, meaning] = meanings[code] ?? ['connection-closed', `The connection closed with code ${code}.`]
  // Nobody connected from somewhere else: the server says what it is.
  if (kick?.code === 'in-use') return { reason: kick.code, text: kick.reason }
  const detail = kick?.reason ?? (reason || error?.message)
  const text = detail === undefined || detail === '' || meaning.includes(detail) ? meaning : `${meaning} (${detail})`
  return { reason: kick?.code || known, text }
}

/** Where the server has handed the session over to; a secret never leaves encryption on a server's word. */
const findNextUrl = ({ kick }: LinkEnd, url: string): string | undefined => {
  const next = kick?.resumeUrl ?? ''
  const protocol = findUrl(next)?.protocol
  return protocol === 'https:' || (protocol === 'http:' && !url.startsWith('https:')) ? next.replace(/\/+$/, '') : undefined
}

/** What a connection was opened with. */
export type Credential = 'resume-token' | 'token' | 'fresh-token'

/** What to do when a connection to `url`, opened with that credential, has ended; `url` of the answer is where the session is now. */
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
