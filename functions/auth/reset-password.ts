import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { signInBodyBytesMax } from '../http/body-sizes.ts'
import { noContent, route } from '../http/route.ts'

export const resetPassword = route({
  method: 'post',
  path: '/auth/reset',
  permission: 'none',
  operationId: 'resetPassword',
  summary: 'Set a new password with the code of a reset link. Every sign-in of the account ends.',
  body: ClosedObject({
    code: Type.String({ maxLength: 200, description: 'The part after `reset=` in the link.' }),
    password: Type.String({ description: '8 to 72 bytes of UTF-8.' }),
  }),
  bodyBytesMax: signInBodyBytesMax,
  countedAs: 'sign-in-address',
  responses: { 204: 'The password is set.' },
  problems: ['invalid-reset-link', 'common-password', 'too-many-requests', 'hashing-busy', 'accounts-unreadable'],
  handle: async ({ resetLinks }, { body, request: { address, requestId } }) => {
    await resetLinks.use(body.code, body.password, { address, requestId })
    return noContent
  },
})
