import type { Account } from '../../../shared/accounts/account.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { decidePermission } from '../../../shared/permissions/decide-permission.ts'
import type { Permissions } from '../../../shared/permissions/permissions.ts'

/** Who asks, as of this moment. */
export type FeedCaller = { readonly account: Account; readonly verified: boolean }

export type FeedPermission = 'admin.instances.read' | 'admin.instances.write'

/** Why the caller may not, at this moment, with the zone that they ask for; undefined when they may. */
export const findFeedRefusal = (
  permissions: Pick<Permissions, 'rulesOf'>,
  { account, verified }: FeedCaller,
  permission: FeedPermission,
  zone?: string,
): AppError | undefined => {
  const decision = decidePermission(permissions.rulesOf(account, zone === undefined ? undefined : { zone }), permission, {
    verified,
    privileged: true,
  })
  if (decision.allowed) return undefined
  return decision.reason === 'unverified'
    ? new AppError(
        'forbidden',
        'password-sign-in-needed',
        `The permission "${permission}" is privileged: sign in with a password, or through an identity provider.`,
      )
    : new AppError('forbidden', 'missing-permission', `This needs the permission "${permission}".`)
}
