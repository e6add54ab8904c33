import { createHash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../kernel/closed-object.ts'
import { AccountGrant } from '../permissions/account-grant.ts'
import type { Account } from './account.ts'

/** An account as others may see it, in answers and in the audit log. */
export const AccountView = ClosedObject({
  email: Type.String(),
  playerId: Type.String({ format: 'uuid' }),
  displayName: Type.String(),
  groups: Type.Array(Type.String()),
  grants: Type.Optional(Type.Array(AccountGrant)),
  hasPassword: Type.Boolean(),
  createdAt: Type.String({ format: 'date-time' }),
})
export type AccountView = Static<typeof AccountView>

export const viewAccount = ({ email, playerId, displayName, groups, grants, passwordHash, createdAt }: Account): AccountView => ({
  email,
  playerId,
  displayName,
  groups,
  ...(grants !== undefined && grants.length > 0 && { grants }),
  hasPassword: passwordHash !== undefined,
  createdAt,
})

/** A strong entity tag without quotes: differs whenever the account does, its password included, and tells nothing of it. */
export const accountEtag = (account: Account): string =>
  createHash('sha256')
    .update(JSON.stringify([viewAccount(account), account.passwordHash ?? null, account.subject ?? null]))
    .digest('base64url')
