import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AccountGrant } from '../permissions/account-grant.ts'

/** Grants that an account may have at a time. */
export const grantsMax = 100

/** An account as `users.yaml` holds it; `email` is trimmed and lower-cased, `createdAt` is ISO 8601 UTC. */
export const Account = ClosedObject({
  email: Type.String(),
  playerId: Type.String({ format: 'uuid' }),
  displayName: Type.String({ minLength: 1, maxLength: 32 }),
  /** bcrypt. Never leaves the process in an answer, a log line or an audit entry. */
  passwordHash: Type.Optional(Type.String()),
  /** `common` where the password is one of the 10,000 most common: noted when its hash is stored, and at each sign-in by it. */
  passwordKind: Type.Optional(Type.Literal('common')),
  groups: Type.Array(Type.String(), { uniqueItems: true }),
  /** Issuer and `sub` at an identity provider, `issuer|sub`; no two accounts have the same. */
  subject: Type.Optional(Type.String()),
  /** Those of `groups` that are there only because the last sign-in at the identity provider mapped them. */
  mappedGroups: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
  /** What the identity provider's groups claim held at the last sign-in: what a new mapping would go by. */
  claimedGroups: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
  /** `none` where nobody has proven yet that the email is theirs; absent where somebody has, and for accounts from before this was noted. */
  emailProof: Type.Optional(Type.Literal('none')),
  /** What it has besides its groups, for a time or at a place; left out where there is nothing. */
  grants: Type.Optional(Type.Array(AccountGrant, { maxItems: grantsMax })),
  createdAt: Type.String({ format: 'date-time' }),
})
export type Account = Static<typeof Account>

/**
 * The account for whoever has proven that its email is theirs. Of one whose email nobody had proven, the password, the identity and the groups
 * that came with it go: they are of somebody who only typed the email.
 */
export const proveEmail = (account: Account): Account => {
  if (account.emailProof === undefined) return account
  const {
    emailProof: _,
    passwordHash: __,
    passwordKind: ___,
    subject: ____,
    mappedGroups = [],
    claimedGroups: _____,
    ...rest
  } = account
  return { ...rest, groups: account.groups.filter((name) => !mappedGroups.includes(name)) }
}
