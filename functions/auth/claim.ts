import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { signInBodyBytesMax } from '../http/body-sizes.ts'
import { ok, route } from '../http/route.ts'
import { SignedIn } from './signed-in.ts'

/** Makes the first administrator, once, for whoever holds the claim that the server printed at its start. */
export const claim = route({
  method: 'post',
  path: '/auth/claim',
  permission: 'none',
  summary: 'Claim the administrator account of a new server.',
  body: ClosedObject({
    claim: Type.String({ maxLength: 128 }),
    email: Type.String({ description: 'Of a new account: at most 254 bytes of UTF-8.' }),
    password: Type.String(),
    displayName: Type.Optional(Type.String()),
  }),
  bodyBytesMax: signInBodyBytesMax,
  countedAs: 'sign-in-address',
  responses: { 200: SignedIn },
  problems: ['invalid-claim', 'already-claimed', 'too-many-requests', 'hashing-busy', 'accounts-unreadable'],
  handle: async ({ signIn }, { body, request: { address, requestId } }) => {
    const { claim: secret, ...account } = body
    return ok(await signIn.claim(secret, account, { address, requestId }))
  },
})
