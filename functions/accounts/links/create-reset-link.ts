import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../shared/kernel/closed-object.ts'
import { created, route } from '../../http/route.ts'
import { AccountParams } from '../users.ts'

/** Creates a link with which the owner of an account sets a new password. */
export const createResetLink = route({
  method: 'post',
  path: '/api/admin/users/:email/reset-link',
  permission: 'admin.users.write',
  operationId: 'createResetLink',
  summary: 'Create a code that sets a new password of the account once, within a day. Only this answer shows it.',
  params: AccountParams,
  responses: {
    201: ClosedObject({
      code: Type.String({ description: 'For `POST /auth/reset`.' }),
      until: Type.String({ format: 'date-time' }),
    }),
  },
  problems: ['not-found', 'beyond-own-permissions', 'accounts-unreadable'],
  handle: async ({ resetLinks }, { params, actor }) =>
    created(await resetLinks.create(actor, params.email), `/api/admin/users/${encodeURIComponent(params.email)}`),
})
