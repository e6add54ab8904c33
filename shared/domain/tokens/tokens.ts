import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { type Collection, createCollection } from '../../platform/storage/store.ts'

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Whether `text` has the shape of a token: a version 4 UUID in lower case (RFC 9562, section 5.4). */
export const isToken = (text: string): boolean => text.length === 36 && version4.test(text)

/** Lifetime of a token from its issue, in seconds; never extended. */
export const tokenTtlSeconds = 600

/** How long after a sign-in its tokens may still be renewed, in seconds. */
const signInTtlSeconds = 12 * 60 * 60

/** The identity behind a token. Renewed tokens share `signInId`. */
export type TokenGrant = {
  readonly playerId: string
  /** The password matched the account's hash, or an identity provider confirmed the account. */
  readonly verified: boolean
  readonly signInId: string
  /** The time of the original sign-in, in milliseconds since the epoch. */
  readonly signedInAt: number
}

export type TokenRecord = TokenGrant & {
  readonly expiresAt: number
  /** Of an API token: the permissions that it is limited to. */
  readonly scope?: readonly string[]
}

/** `expiresAt` of an API token that does not expire. */
export const endlessMs = Number.MAX_SAFE_INTEGER

/** The time by which a clock may be set back without ending recent tokens. */
export const clockSlackMs = 5_000

/**
 * Whether a token is valid. A token with an issue time in the future comes from a clock that was ahead, and ends when that clock is
 * corrected.
 */
export const isLiveAt = ({ expiresAt }: Pick<TokenRecord, 'expiresAt'>, nowMs: number): boolean =>
  expiresAt > nowMs && expiresAt - tokenTtlSeconds * 1000 <= nowMs + clockSlackMs

/** Whether tokens of a sign-in may still be renewed: for twelve hours, unless the sign-in is in the future. */
export const isRenewable = ({ signedInAt }: Pick<TokenGrant, 'signedInAt'>, nowMs: number): boolean =>
  nowMs - signedInAt < signInTtlSeconds * 1000 && signedInAt <= nowMs + clockSlackMs

/** An early end: of one sign-in, or (without `signInId`) of all earlier sign-ins of an account except `exceptSignInId`. */
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

/**
 * Tokens and single-use secrets, stored by their SHA-256 only. Every method throws AppError `unavailable` if the store is out of reach,
 * so that nothing fails open.
 */
export type TokenStore = {
  /**
   * Issues a version 4 UUID that stands for `grant` for ten minutes. Throws AppError `unauthenticated` if the account was revoked in
   * the meantime.
   */
  issue(grant: TokenGrant): Promise<string>
  /** The record of a valid token; undefined for anything else. One round trip. */
  find(token: string): Promise<TokenRecord | undefined>
  /** Ends the sign-in of `token`. When it resolves, no token of that sign-in is valid. */
  revoke(token: string): Promise<TokenRecord | undefined>
  /** Ends a sign-in by its id, with the tokens that are renewed from it from now on. The tokens that exist are not deleted. */
  revokeSignIn(signIn: Pick<TokenGrant, 'playerId' | 'signInId'>): Promise<void>
  /** Ends every token of the account, including ones being issued now, except those of the sign-in `exceptSignInId`. */
  revokeAccount(playerId: string, exceptSignInId?: string): Promise<void>
  /** Ends everything that the account can be used with, API tokens included. For a banned or deleted account. */
  endAccount(playerId: string): Promise<void>
  /** Revocations at or after `sinceMs`, oldest first; they are kept for ten minutes. Nodes poll this in case an event is lost. */
  revokedSince(sinceMs: number): Promise<readonly Revocation[]>
  /** Stores `value` under a secret `key` for `ttlSeconds`. */
  putOnce(key: string, value: string, ttlSeconds: number): Promise<void>
  /** Reads the value without removing it; undefined if there is none or it has expired. */
  findOnce(key: string): Promise<string | undefined>
  /**
   * Removes the value and returns it to exactly one of any number of concurrent callers; undefined for the others, and after its time.
   */
  takeOnce(key: string): Promise<string | undefined>
  /** Throws if the store is out of reach. */
  ping(): Promise<void>
  close(): Promise<void>
}

const Grant = { playerId: Type.String(), verified: Type.Boolean(), signInId: Type.String(), signedInAt: Type.Number() }

/** By the SHA-256 of the token. */
export const tokenRecords = createCollection('tokens', ClosedObject({ ...Grant, expiresAt: Type.Number() }))

/** The tokens of each account, by the digests of the account and the sign-in, and the SHA-256 of the token. */
export const accountTokens = createCollection('token-owners', ClosedObject({ expiresAt: Type.Number() }))

export const AccountState = ClosedObject({
  /** Changes with each revocation of the whole account. */
  epoch: Type.Optional(Type.String()),
  /** The time of the last revocation of the whole account, and the spared sign-in. */
  revokedAt: Type.Optional(Type.Number()),
  spared: Type.Optional(Type.String()),
  /** Digests of ended sign-ins, with the time until which they are kept. */
  ended: Type.Record(Type.String(), Type.Number()),
  expiresAt: Type.Number(),
})

export type AccountState = Static<typeof AccountState>

/** The revocations of an account, by its digest. */
export const accountStates = createCollection('token-accounts', AccountState)

/** By time. */
export const revocationRecords = createCollection(
  'token-revocations',
  ClosedObject({
    playerId: Type.String(),
    signInId: Type.Optional(Type.String()),
    exceptSignInId: Type.Optional(Type.String()),
    at: Type.Number(),
    expiresAt: Type.Number(),
  }),
)

/** Single-use secrets, by the SHA-256 of each. */
export const onceRecords = createCollection(
  'token-secrets',
  ClosedObject({ value: Type.String(), putAt: Type.Number(), expiresAt: Type.Number() }),
)

/** All collections of this store. Their records last only minutes, so a restored backup does not include them. */
export const tokenCollections: readonly Collection<{ readonly expiresAt: number }>[] = [
  tokenRecords,
  accountTokens,
  accountStates,
  revocationRecords,
  onceRecords,
]
