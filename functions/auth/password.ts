import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { signInBodyBytesMax } from '../http/body-sizes.ts'
import { noContent, route } from '../http/route.ts'

/** Changes the password of the caller's account. Every other sign-in of it ends. */
export const changePassword = route({
  method: 'post',
  path: '/auth/password',
  permission: 'signed-in',
  operationId: 'changeOwnPassword',
  notByToken: true,
  summary: 'Change your own password. This sign-in continues, every other one of the account ends everywhere.',
  body: ClosedObject({
    current: Type.String({
      description: 'The current password. An account without one gets its first from an administrator.',
    }),
    next: Type.String({ description: '8 to 72 bytes of UTF-8.' }),
  }),
  bodyBytesMax: signInBodyBytesMax,
  countedAs: 'sign-in-address',
  responses: { 204: 'The password is changed.' },
  problems: [
    'wrong-password',
    'no-password',
    'common-password',
    'provider-mismatch',
    'conflict',
    'too-many-requests',
    'hashing-busy',
    'accounts-unreadable',
  ],
  handle: async ({ signIn }, { body, request }) => {
    const { grant, address, requestId } = request
    if (grant === undefined) throw new AppError('unauthenticated', 'not-signed-in', 'Send a token from a sign-in.')
    await signIn.changePassword(grant, body, { address, requestId })
    return noContent
  },
})

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
