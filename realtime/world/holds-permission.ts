import { decidePermission } from '../../shared/permissions/decide-permission.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionAccess } from '../sessions/session-access.ts'

/** Answers whether a session holds a permission at this moment. */
export const createHoldsPermission =
  (access: Pick<SessionAccess, 'callerOf'>) =>
  (session: Session, permission: string): boolean =>
    decidePermission(access.callerOf(session).actor.rules, permission, { verified: session.verified, privileged: false }).allowed
