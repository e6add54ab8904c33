const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Whether `text` has the shape of a token: a version 4 UUID in lower case (RFC 9562, section 5.4). */
export const isToken = (text: string): boolean => text.length === 36 && version4.test(text)

/** Lifetime of a token from its issue, in seconds; never extended. */
export const tokenTtlSeconds = 600

/** How long after a sign-in its tokens may still be renewed, in seconds. */
export const signInTtlSeconds = 12 * 60 * 60

/** Who a token speaks for. Tokens renewed from one another share `signInId`. */
export type TokenGrant = {
  readonly playerId: string
  /** The password matched the account's hash, or an identity provider vouched for the account. */
  readonly verified: boolean
  readonly signInId: string
  /** Milliseconds since the epoch of the sign-in that this token descends from. */
  readonly signedInAt: number
}

export type TokenRecord = TokenGrant & { readonly expiresAt: number }

/** By how much a clock may go back without ending what was issued a moment ago. */
export const clockSlackMs = 5_000

/** Whether a token lives. One whose issue lies in the future was issued by a clock that was ahead: it ends when the clock is set right. */
export const isLiveAt = ({ expiresAt }: Pick<TokenRecord, 'expiresAt'>, nowMs: number): boolean =>
  expiresAt > nowMs && expiresAt - tokenTtlSeconds * 1000 <= nowMs + clockSlackMs

/** Whether tokens of a sign-in may still be renewed: twelve hours from it, by a clock that was not ahead. */
export const isRenewable = ({ signedInAt }: Pick<TokenGrant, 'signedInAt'>, nowMs: number): boolean =>
  nowMs - signedInAt < signInTtlSeconds * 1000 && signedInAt <= nowMs + clockSlackMs

/** Something that ended before its time: one sign-in, or (`signInId` absent) all of an account's that began before, but for `exceptSignInId`. */
export type Revocation = {
  readonly playerId: string
  readonly signInId?: string
  readonly exceptSignInId?: string
  readonly at: number
}

/** Whether a revocation ended that sign-in. */
export const isRevokedBy = (
  { playerId, signInId, exceptSignInId, at }: Revocation,
  signIn: Pick<TokenGrant, 'playerId' | 'signInId' | 'signedInAt'>,
): boolean => {
  if (playerId !== signIn.playerId) return false
  if (signInId !== undefined) return signInId === signIn.signInId
  return signIn.signedInAt < at && signIn.signInId !== exceptSignInId
}

/** Tokens and single-use secrets, kept by their SHA-256 only. Every method throws AppError `unavailable` when the store is out of reach: never fail open. */
export type TokenStore = {
  /** A new version 4 UUID that stands for `grant` for ten minutes; AppError `unauthenticated` when the account was revoked meanwhile. */
  issue(grant: TokenGrant): Promise<string>
  /** The record of a live token; anything else, malformed text included, is undefined. One round trip. */
  find(token: string): Promise<TokenRecord | undefined>
  /** Ends the sign-in that `token` belongs to: this token and all renewed from the same sign-in are dead when it resolves. */
  revoke(token: string): Promise<TokenRecord | undefined>
  /** Kills every token of the account, those being issued at this moment included, but for those of the sign-in `exceptSignInId`. */
  revokeAccount(playerId: string, exceptSignInId?: string): Promise<void>
  /** Revocations at or after `sinceMs` (kept for ten minutes), oldest first: what a node asks in case an event was lost. */
  revokedSince(sinceMs: number): Promise<readonly Revocation[]>
  /** Keeps `value` under a secret `key` for `ttlSeconds`. */
  putOnce(key: string, value: string, ttlSeconds: number): Promise<void>
  /** The value, which stays where it is; undefined where there is none, and after its time. */
  findOnce(key: string): Promise<string | undefined>
  /** The value, to exactly one of any number of concurrent callers; undefined to all others, and after its time. */
  takeOnce(key: string): Promise<string | undefined>
  /** Throws when the store is out of reach. */
  ping(): Promise<void>
  close(): Promise<void>
}
