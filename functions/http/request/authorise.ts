import type { Actor } from '../../../shared/accounts/actor.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { decidePermission } from '../../../shared/permissions/decide-permission.ts'
import type { RoutePermission } from '../route.ts'

/** Passes when `actor` holds the route's permission; else throws `forbidden` and names what is missing. */
export const authorise = (actor: Actor, permission: Exclude<RoutePermission, 'none'>): void => {
  if (permission === 'signed-in') return
  const decision = decidePermission(actor.rules, permission, { verified: actor.verified, privileged: true })
  if (decision.allowed) return
  if (decision.reason === 'unverified')
    throw new AppError(
      'forbidden',
      'password-sign-in-needed',
      `The permission "${permission}" is privileged: sign in with a password, or through an identity provider.`,
    )
  throw new AppError('forbidden', 'missing-permission', `This needs the permission "${permission}".`)
}
