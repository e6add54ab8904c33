import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { signInBodyBytesMax } from '../http/body-sizes.ts'
import { noContent, route } from '../http/route.ts'

/** Makes an account of one's own, where the server lets people. */
export const register = route({
  method: 'post',
  path: '/auth/register',
  permission: 'none',
  summary:
    'Make an account with a password, where `auth.local.registration` lets you; then sign in. Answers alike whether the email had an account or not.',
  body: ClosedObject({
    email: Type.String({ description: 'Of a new account: at most 254 bytes of UTF-8.' }),
    password: Type.String({ description: '8 to 72 bytes of UTF-8.' }),
    displayName: Type.Optional(
      Type.String({ description: 'One that nobody bears, letter case and look-alikes aside; absent: one made of the email.' }),
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
