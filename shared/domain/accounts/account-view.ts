import { createHash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { AccountGrant, isGrantInForce } from '../permissions/account-grant.ts'
import type { Account } from './account.ts'

/** An account as other users may see it, in answers and in the audit log. */
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

/** The account as it is stored, including grants that ended since the last sweep. Use `viewAccountAt` for answers. */
export const viewAccount = ({ email, playerId, displayName, groups, grants, passwordHash, createdAt }: Account): AccountView => ({
  email,
  playerId,
  displayName,
  groups,
  ...(grants !== undefined && grants.length > 0 && { grants }),
  hasPassword: passwordHash !== undefined,
  createdAt,
})

/** The account without ended grants; the same object if it has none. */
export const withoutEndedGrants = <T extends Pick<Account, 'grants'>>(account: T, nowMs: number): T => {
  const { grants, ...rest } = account
  if (grants?.every((grant) => isGrantInForce(grant, nowMs)) !== false) return account
  const active = grants.filter((grant) => isGrantInForce(grant, nowMs))
  return (active.length === 0 ? rest : { ...rest, grants: active }) as T
}

/** The account as answers show it at `nowMs`. */
export const viewAccountAt = (account: Account, nowMs: number): AccountView => viewAccount(withoutEndedGrants(account, nowMs))

/** A strong entity tag without quotes. It changes whenever the account does, including its password, and reveals nothing about either. */
export const accountEtag = (account: Account, nowMs: number): string =>
  createHash('sha256')
    .update(JSON.stringify([viewAccountAt(account, nowMs), account.passwordHash ?? null, account.subject ?? null]))
    .digest('base64url')
