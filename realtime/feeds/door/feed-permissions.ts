import type { Account } from '../../../shared/domain/accounts/account.ts'
import type { PermissionScope } from '../../../shared/domain/permissions/account-grant.ts'
import { decidePermission } from '../../../shared/domain/permissions/decide-permission.ts'
import { createUnverifiedRefusal } from '../../../shared/domain/permissions/limited-sign-in.ts'
import type { Permissions } from '../../../shared/domain/permissions/permissions.ts'
import { rightsOf } from '../../../shared/domain/permissions/token-scope.ts'
import type { TokenRecord } from '../../../shared/domain/tokens/tokens.ts'
import { AppError } from '../../../shared/kernel/errors.ts'

/** The caller of a feed, as of now. */
export type FeedCaller = { readonly account: Account; readonly grant: Pick<TokenRecord, 'verified' | 'scope'> }

export type FeedPermission = 'admin.instances.read' | 'admin.instances.write' | 'admin.worlds.read'

/** The permission that a reader needs while the feed is open, and where. */
export type FeedNeed = { readonly permission: FeedPermission; readonly place: PermissionScope }

/** Returns why the caller lacks the permission there, or undefined. */
export const findFeedRefusal = (
  permissions: Pick<Permissions, 'rulesOfSignIn'>,
  { account, grant }: FeedCaller,
  { permission, place }: FeedNeed,
): AppError | undefined => {
  const rules = permissions.rulesOfSignIn(account, rightsOf(grant), place)
  const decision = decidePermission(rules, permission, { verified: grant.verified, privileged: true })
  if (decision.allowed) return undefined
  if (decision.reason === 'unverified') return createUnverifiedRefusal(rules, permission)
  return new AppError(
    'forbidden',
    'missing-permission',
    decision.reason === 'outside-token'
      ? `This API token does not include the permission "${permission}".`
      : `This needs the permission "${permission}".`,
  )
}
