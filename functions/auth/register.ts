import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { signInBodyBytesMax } from '../http/body-sizes.ts'
import { noContent, route } from '../http/route.ts'

/** Creates an account for its owner, if the server allows registration. */
export const register = route({
  method: 'post',
  path: '/auth/register',
  permission: 'none',
  operationId: 'registerAccount',
  summary:
    'Create an account with a password, if `auth.local.registration` allows it, then sign in. The answer does not reveal whether the email already has an account.',
  body: ClosedObject({
    email: Type.String({ description: 'For a new account: at most 254 bytes of UTF-8.' }),
    password: Type.String({ description: '8 to 72 bytes of UTF-8.' }),
    displayName: Type.Optional(
      Type.String({ description: 'No other account may have it or one that looks like it. Absent: made from the email.' }),
    ),
    invitation: Type.Optional(Type.String({ maxLength: 200, description: 'The code of an invitation.' })),
  }),
  bodyBytesMax: signInBodyBytesMax,
  countedAs: 'sign-in-address',
  responses: { 204: 'If the email had no account, it has this one now.' },
  problems: [
    'registration-closed',
    'invalid-invitation',
    'display-name-taken',
    'common-password',
    'conflict',
    'provider-mismatch',
    'too-many-requests',
    'hashing-busy',
    'accounts-unreadable',
  ],
  handle: async ({ signIn }, { body, request: { address, requestId } }) => {
    await signIn.register(body, { address, requestId })
    return noContent
  },
})
