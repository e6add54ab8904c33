import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { signInBodyBytesMax } from '../http/body-sizes.ts'
import { ok, route } from '../http/route.ts'
import { SignedIn } from './signed-in.ts'

/** Signs in by email and password. */
export const login = route({
  method: 'post',
  path: '/auth/login',
  permission: 'none',
  summary: 'Sign in by email and password.',
  body: ClosedObject({
    email: Type.String(),
    password: Type.Optional(Type.String({ description: 'A must where `GET /api/auth/config` says so.' })),
  }),
  bodyBytesMax: signInBodyBytesMax,
  countedAs: 'sign-in-address',
  responses: { 200: SignedIn },
  problems: ['invalid-credentials', 'provider-mismatch', 'too-many-requests', 'hashing-busy', 'accounts-unreadable'],
  handle: async ({ signIn }, { body, request }) =>
    ok(await signIn.login(body.email, body.password, { address: request.address, requestId: request.requestId })),
})
