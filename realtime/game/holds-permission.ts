import type { PermissionScope } from '../../shared/domain/permissions/account-grant.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import { isLimitedSignIn } from '../../shared/domain/permissions/limited-sign-in.ts'
import type { BlockPos } from '../../shared/rules/positions.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionAccess } from '../sessions/session-access.ts'

/** Returns whether a session has a permission for a block now. */
export const createHoldsPermission =
  (access: Pick<SessionAccess, 'rulesAt'>, scopeAt: (at: BlockPos) => PermissionScope) =>
  (session: Session, permission: string, at: BlockPos): boolean =>
    decidePermission(access.rulesAt(session, session.account.grants === undefined ? {} : scopeAt(at)), permission, {
      verified: session.verified,
      privileged: false,
    }).allowed

/** Returns whether a session has a permission for a block by a grant for its zone, even if it also has it otherwise. */
export const createHoldsByGrant =
  (access: Pick<SessionAccess, 'rulesAt' | 'rulesOfZoneGrants'>, scopeAt: (at: BlockPos) => PermissionScope) =>
  (session: Session, permission: string, at: BlockPos): boolean => {
    const { account, verified } = session
    if (account.grants === undefined || isLimitedSignIn(account, verified)) return false
    const place = scopeAt(at)
    const asked = { verified, privileged: false }
    // Another rule must not deny it.
    return (
      place.zone !== undefined &&
      decidePermission(access.rulesOfZoneGrants(session, place), permission, asked).allowed &&
      decidePermission(access.rulesAt(session, place), permission, asked).allowed
    )
  }
