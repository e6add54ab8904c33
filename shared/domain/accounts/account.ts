import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AccountGrant } from '../permissions/account-grant.ts'

/** Maximum number of grants of one account. */
export const grantsMax = 100

/** An account as in `users.yaml`; `email` is trimmed and lower-cased, `createdAt` is ISO 8601 UTC. */
export const Account = ClosedObject({
  email: Type.String(),
  playerId: Type.String({ format: 'uuid' }),
  displayName: Type.String({ minLength: 1, maxLength: 32 }),
  /** bcrypt. Never leaves the process in an answer, a log line or an audit entry. */
  passwordHash: Type.Optional(Type.String()),
  /** `common` if the password is one of the 10,000 most common. Set when the hash is stored and at each sign-in with the password. */
  passwordKind: Type.Optional(Type.Literal('common')),
  groups: Type.Array(Type.String(), { uniqueItems: true }),
  /** Issuer and `sub` at an identity provider, `issuer|sub`; no two accounts have the same. */
  subject: Type.Optional(Type.String()),
  /** Members of `groups` that come only from the claim mapping of the last sign-in at the identity provider. */
  mappedGroups: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
  /** Values of the provider's groups claim at the last sign-in; input for a changed mapping. */
  claimedGroups: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
  /** `none` until the owner of the email has proven it; absent after that, and for accounts created before this field existed. */
  emailProof: Type.Optional(Type.Literal('none')),
  /** Groups and permissions for a time or at a place; absent if there are none. */
  grants: Type.Optional(Type.Array(AccountGrant, { maxItems: grantsMax })),
  createdAt: Type.String({ format: 'date-time' }),
})
export type Account = Static<typeof Account>

/**
 * The account after its owner has proven the email. If the email was unproven, drops the password, the identity and the groups mapped
 * from it: another person may have set them by typing this email.
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
