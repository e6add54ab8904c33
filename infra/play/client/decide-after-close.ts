import type { Closed } from './game-client-events.ts'

/** What to do when a connection has ended: connect again after a while, or stop with a reason. */
export type AfterClose =
  | {
      readonly again: true
      readonly afterMs: number
      readonly with: 'resume-token' | 'token'
      /** Another base address than the one that the player named, where the session is now. */
      readonly url?: string
      readonly text: string
    }
  | { readonly again: false; readonly ok: boolean; readonly text: string }

export type CloseCircumstances = {
  /** The player asked for it. */
  readonly leaving: boolean
  /** There was a Welcome, on this connection or on an earlier one. */
  readonly wasIn: boolean
  /** This connection was to resume a session. */
  readonly resuming: boolean
  /** Connections in a row that ended without a Welcome. */
  readonly failures: number
  /** The base address of this connection. */
  readonly url: string
}

const failuresMax = 12
const firstWaitMs = 500
const longestWaitMs = 10_000

/** What each close code means to the player (PROTOCOL.md section 1, RFC 6455 section 7.4.1). */
const meanings: Readonly<Record<number, string>> = {
  1000: 'You left.',
  1001: 'The server is going away.',
  1002: 'The server did not understand this client.',
  1006: 'The connection was lost.',
  1007: 'The server did not understand this client.',
  1008: 'The sign-in was refused: the token is wrong or expired.',
  1009: 'A message was too large.',
  1011: 'The server failed.',
  1013: 'The server is full, or cannot check sign-ins at the moment.',
  4001: 'This account connected from somewhere else.',
  4002: 'This client speaks another version of the protocol than the server; update it.',
  4003: 'You were kicked, or your account or sign-in has ended.',
  4008: 'This client read too slowly.',
  4029: 'Too many messages in too short a time.',
}

/** Those after which connecting again makes sense. */
const passing: ReadonlySet<number> = new Set([1001, 1006, 1011, 1013, 4008])

/** The end of a connection in words: what the code means, and what the server said of it. */
const describeClose = ({ code, reason, kick, error }: Closed): string => {
  const meaning = meanings[code] ?? `The connection closed with code ${code}.`
  const detail = kick?.reason ?? (reason || error?.message)
  return detail === undefined || detail === '' || meaning.includes(detail) ? meaning : `${meaning} (${detail})`
}

/** 500 ms, then twice as long each time, up to 10 s; what the server asks for when that is longer. */
const waitFor = (failures: number, { kick }: Closed): number =>
  Math.max(Math.min(longestWaitMs, firstWaitMs * 2 ** failures), (kick?.retryAfterSeconds ?? 0) * 1_000)

/** Where the server has handed the session over to; a secret never leaves encryption on a server's word. */
const findNextUrl = ({ kick }: Closed, url: string): string | undefined => {
  const next = kick?.resumeUrl ?? ''
  if (!URL.canParse(next)) return undefined
  const { protocol } = new URL(next)
  return protocol === 'https:' || (protocol === 'http:' && !url.startsWith('https:')) ? next : undefined
}

/** Whether to come back after a connection has ended, when, and with what. */
export const decideAfterClose = (closed: Closed, { leaving, wasIn, resuming, failures, url }: CloseCircumstances): AfterClose => {
  const text = describeClose(closed)
  if (leaving || closed.code === 1000) return { again: false, ok: true, text }
  if (!wasIn) return { again: false, ok: false, text }
  if (closed.code === 1008 && resuming)
    return { again: true, afterMs: 0, with: 'token', text: 'The session could not be resumed; connecting anew.' }
  const nextUrl = findNextUrl(closed, url)
  if (closed.code === 1001 && nextUrl !== undefined)
    return { again: true, afterMs: closed.kick?.retryAfterMs ?? 0, with: 'resume-token', url: nextUrl, text }
  if (!passing.has(closed.code)) return { again: false, ok: false, text }
  if (failures >= failuresMax) return { again: false, ok: false, text: `${text} Gave up after ${failures} attempts.` }
  const afterMs = waitFor(failures, closed)
  return { again: true, afterMs, with: 'resume-token', text: `${text} Trying again in ${afterMs / 1_000} s.` }
}
