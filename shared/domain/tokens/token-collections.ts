import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { type Collection, createCollection } from '../../platform/storage/store.ts'

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
