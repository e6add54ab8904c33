import type { Sanction } from '../../shared/domain/sanctions/sanction.ts'
import type { Kick } from '../protocol/generated/gatehouse.ts'
import { protocolVersion } from '../protocol/messages.ts'

/** Why the server closes a connection: the content of Kick, and the close code. */
export type Closing = Kick & { readonly closeCode: number }

const retrySeconds = 5

/** How long the client may take to answer a close, in milliseconds. */
export const closeGraceMs = 2000

/** The closings with a fixed text. */
export const closings = {
  left: { closeCode: 1000, code: 'left', reason: 'You left.' },
  notConnected: {
    closeCode: 1008,
    code: 'connect-first',
    reason: 'The first message must be Connect, and it must arrive in time.',
  },
  invalidToken: { closeCode: 1008, code: 'invalid-token', reason: 'The token is malformed, expired or revoked. Sign in again.' },
  invalidResume: { closeCode: 1008, code: 'invalid-resume', reason: 'The session cannot be resumed. Connect with a token.' },
  protocol: {
    closeCode: 4002,
    code: 'protocol-version',
    reason: `This server speaks protocol version ${protocolVersion}.`,
    protocolVersion,
  },
  tooLarge: { closeCode: 1009, code: 'message-too-large', reason: 'The message is larger than this server allows.' },
  malformed: { closeCode: 1002, code: 'protocol-error', reason: 'The frames break the WebSocket protocol.' },
  notText: { closeCode: 1007, code: 'invalid-utf8', reason: 'A text frame must be UTF-8.' },
  displaced: { closeCode: 4001, code: 'displaced', reason: 'Your account connected from another device or window.' },
  inUse: {
    closeCode: 4001,
    code: 'in-use',
    reason: 'This account is already in the game with a verified sign-in. Sign in with the password to replace it.',
  },
  accountRemoved: { closeCode: 4003, code: 'account-removed', reason: 'The account no longer exists.' },
  signInEnded: { closeCode: 4003, code: 'sign-in-ended', reason: 'The sign-in of this session has ended.' },
  notAdmitted: {
    closeCode: 4003,
    code: 'not-admitted',
    reason: 'This server is not open to everyone. Ask an admin to let you in.',
  },
  tooSlow: { closeCode: 4008, code: 'too-slow', reason: 'The client does not read messages fast enough.' },
  tooMany: { closeCode: 4029, code: 'too-many-messages', reason: 'The client sent too many messages in too short a time.' },
  full: { closeCode: 1013, code: 'full', reason: 'This node is full.', retryAfterSeconds: retrySeconds },
  unavailable: {
    closeCode: 1013,
    code: 'service-unavailable',
    reason: 'Your sign-in or your saved data cannot be read at the moment. Try again in a few seconds.',
    retryAfterSeconds: retrySeconds,
  },
} as const satisfies Record<string, Closing>

/** The player was kicked, with the reason of the kick. */
export const kickedBecause = (reason: string): Closing => ({
  closeCode: 4003,
  code: 'kicked',
  reason: reason === '' ? 'You were kicked.' : reason,
})

/** The account or the address is banned. `reason` is that of the ban. */
export const bannedBecause = ({ reason, until }: Pick<Sanction, 'reason' | 'until'>): Closing => ({
  closeCode: 4003,
  code: 'banned',
  reason,
  ...(until !== undefined && { until }),
})

/** Spreads the clients over time as they move to another node: 400 per second, all of them within half a second. */
const spreadMsMax = 500

/** The position of a client among all clients that must leave. */
export type Share = { readonly index: number; readonly of: number }

/** Another node has the sessions. The client waits before it connects there. */
export const handedOver = (resumeUrl: string, { index, of }: Share): Closing => ({
  closeCode: 1001,
  code: 'going-away',
  reason: 'Another server takes over. Resume the session there.',
  resumeUrl,
  retryAfterMs: Math.round((Math.min(spreadMsMax, of * 2.5) * index) / of),
})

/** The node stops. */
export const goingAway = (reason = 'The server is restarting.', retryAfterSeconds = retrySeconds): Closing => ({
  closeCode: 1001,
  code: 'going-away',
  reason,
  retryAfterSeconds,
})

/** Closes that the WebSocket library starts, because of frames that it refuses. */
export const libraryClosings: ReadonlyMap<number | undefined, Closing> = new Map<number | undefined, Closing>([
  [1002, closings.malformed],
  [1007, closings.notText],
  [1008, closings.tooMany],
  [1009, closings.tooLarge],
])
