import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { signInBodyBytesMax } from '../http/body-sizes.ts'
import { ok, route } from '../http/route.ts'
import { SignedIn } from './signed-in.ts'

export const login = route({
  method: 'post',
  path: '/auth/login',
  permission: 'none',
  operationId: 'signIn',
  summary: 'Sign in with email and password.',
  body: ClosedObject({
    email: Type.String(),
    password: Type.Optional(Type.String({ description: 'Required if `GET /api/auth/config` says so.' })),
    displayName: Type.Optional(
      Type.String({
        description:
          'For the account that a first sign-in without a password creates; ignored otherwise. No other account may have it or one that looks like it. Absent: made from the email.',
      }),
    ),
  }),
  bodyBytesMax: signInBodyBytesMax,
  countedAs: 'sign-in-address',
  responses: { 200: SignedIn },
  problems: [
    'invalid-credentials',
    'display-name-taken',
    'provider-mismatch',
    'too-many-requests',
    'hashing-busy',
    'accounts-unreadable',
  ],
  handle: async ({ signIn }, { body: { email, password, displayName }, request: { address, requestId } }) =>
    ok(await signIn.login(email, password, { address, requestId, ...(displayName !== undefined && { displayName }) })),
})
