import { Type } from '@sinclair/typebox'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import { knownPermissions } from '../../shared/domain/permissions/known-permissions.ts'
import type { RuleSet } from '../../shared/domain/permissions/rules.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

const ofRoutes = knownPermissions.filter((permission) => permission.startsWith('admin.'))

/** Lists the permissions of routes that the token has, so that a page offers only possible actions. */
export const ownPermissions = route({
  method: 'get',
  path: '/auth/permissions',
  permission: 'signed-in',
  operationId: 'getOwnPermissions',
  summary: 'The route permissions of the token, and those that it lacks only because the sign-in is not verified.',
  responses: {
    200: ClosedObject({
      email: Type.String(),
      verified: Type.Boolean({ description: 'Whether the sign-in was by password or by an identity provider.' }),
      permissions: Type.Array(Type.String(), { description: 'Sorted.' }),
      needsNewPassword: Type.Boolean({
        description:
          'Whether the account has an `admin.` permission and one of the 10,000 most common passwords. Privileged permissions do not apply until it sets another.',
      }),
      unverified: Type.Array(Type.String(), { description: 'Permissions that a verified sign-in of the account would add.' }),
    }),
  },
  handle: (_deps, { actor: { email, verified, rules } }) => {
    const held = (by: RuleSet, isVerified: boolean) =>
      ofRoutes.filter((permission) => decidePermission(by, permission, { verified: isVerified, privileged: true }).allowed)
    const unverified = verified ? [] : held(rules.whenVerified ?? rules, true)
    const needsNewPassword = rules.needsNewPassword === true
    return ok({ email, verified, needsNewPassword, permissions: held(rules, verified), unverified })
  },
})
