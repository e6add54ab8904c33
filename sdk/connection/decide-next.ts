import type { LinkEnd } from './link.ts'

/** Why a session is over for good: a code for programs, and words for people. */
export type SessionEnd = { readonly reason: string; readonly text: string }

/** What follows the end of a connection. */
export type Next =
  | { readonly over: SessionEnd }
  /** Come back no sooner than so many milliseconds from now, to another address where one is given. */
  | {
      readonly with: 'resume-token' | 'token' | 'fresh-token'
      readonly atLeastMs: number
      readonly url?: string
      readonly text: string
    }

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
  4003: ['removed', 'The player was kicked, or the account or the sign-in has ended.'],
  4008: ['too-slow', 'Messages were not read fast enough.'],
  4029: ['too-many-messages', 'Too many messages were sent in too short a time.'],
}

/** Nobody comes back after these by themselves. */
const finalCodes: ReadonlySet<number> = new Set([1000, 1002, 1007, 4001, 4002, 4003])

const describe = ({ code, reason, kick, error }: LinkEnd): SessionEnd => {
  const [known, meaning] = meanings[code] ?? ['connection-closed', `The connection closed with code ${code}.`]
  const detail = kick?.reason ?? (reason || error?.message)
  const text = detail === undefined || detail === '' || meaning.includes(detail) ? meaning : `${meaning} (${detail})`
  return { reason: kick?.code || known, text }
}

/** Where the server has handed the session over to; a secret never leaves encryption on a server's word. */
const findNextUrl = ({ kick }: LinkEnd, url: string): string | undefined => {
  const next = kick?.resumeUrl ?? ''
  if (!URL.canParse(next)) return undefined
  const { protocol } = new URL(next)
  return protocol === 'https:' || (protocol === 'http:' && !url.startsWith('https:')) ? next.replace(/\/+$/, '') : undefined
}

/** What to do when a connection to `url`, opened with that credential, has ended. */
export const decideNext = (end: LinkEnd, url: string, opened: 'resume-token' | 'token' | 'fresh-token'): Next => {
  const over = describe(end)
  if (end.error?.name === 'NotGatehouseError') return { over: { reason: 'not-gatehouse', text: end.error.message } }
  if (finalCodes.has(end.code) || end.kick?.code === 'banned') return { over }
  const { text } = over
  if (end.code === 1008) {
    if (opened === 'fresh-token') return { over }
    return { with: opened === 'resume-token' ? 'token' : 'fresh-token', atLeastMs: 0, text }
  }
  const nextUrl = findNextUrl(end, url)
  if (nextUrl !== undefined) return { with: 'resume-token', atLeastMs: end.kick?.retryAfterMs ?? 0, url: nextUrl, text }
  return { with: 'resume-token', atLeastMs: (end.kick?.retryAfterSeconds ?? 0) * 1_000, text }
}
