import { accountBanned } from '../../../shared/domain/sanctions/banned-error.ts'
import type { Sanction } from '../../../shared/domain/sanctions/sanction.ts'

/** Why the server closes a feed: the content of its `error` message, and the close code. */
export type FeedClosing = { readonly closeCode: number; readonly code: string; readonly message: string }

export const feedBannedCode = 'banned'

/** The account or the address is banned. */
export const feedBanned = (ban: Pick<Sanction, 'address' | 'reason' | 'until'>): FeedClosing => ({
  closeCode: 4003,
  code: feedBannedCode,
  message: accountBanned(ban).publicDetail,
})

export const feedClosings = {
  deleted: { closeCode: 1000, code: 'zone-deleted', message: 'The zone was deleted.' },
  expired: { closeCode: 1008, code: 'token-expired', message: 'The token has expired. Open the feed with a new one.' },
  revoked: { closeCode: 1008, code: 'sign-in-ended', message: 'The sign-in of this feed has ended.' },
  accountRemoved: { closeCode: 1008, code: 'account-removed', message: 'The account no longer exists.' },
  forbidden: { closeCode: 1008, code: 'missing-permission', message: 'You need the permission "admin.instances.read".' },
  unavailable: { closeCode: 1013, code: 'service-unavailable', message: 'The sign-in cannot be checked at the moment.' },
  tooLarge: { closeCode: 1009, code: 'message-too-large', message: 'The message is larger than a feed allows.' },
  tooSlow: { closeCode: 4008, code: 'too-slow', message: 'The client does not read messages fast enough.' },
  tooMany: { closeCode: 4029, code: 'too-many-messages', message: 'The client sent too many messages in too short a time.' },
  worldElsewhere: {
    closeCode: 1001,
    code: 'going-away',
    message: 'Another node runs the world of this zone now. Open the feed again.',
  },
  goingAway: { closeCode: 1001, code: 'going-away', message: 'The node is stopping. Open the feed again in a moment.' },
} as const satisfies Record<string, FeedClosing>

/** Closes that `ws` starts because it refuses a frame or message, by close code. */
export const libraryFeedClosings: ReadonlyMap<number | undefined, FeedClosing> = new Map<number | undefined, FeedClosing>([
  [1008, feedClosings.tooMany],
  [1009, feedClosings.tooLarge],
])
