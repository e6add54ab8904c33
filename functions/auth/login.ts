import { Type } from '@sinclair/typebox'
import { FailedSignIns } from '../../shared/domain/accounts/failed-sign-ins.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { signInBodyBytesMax } from '../http/body-sizes.ts'
import { noContent, ok, type RequestFacts, route } from '../http/route.ts'

/** The token that authenticated the request. Throws `unauthenticated` without one. */
const bearerOf = ({ token }: RequestFacts): string => {
  if (token !== undefined) return token
  throw new AppError('unauthenticated', 'not-signed-in', 'Send `Authorization: Bearer <token>` with a token from a sign-in.')
}

const signedIn = {
  token: Type.String({ format: 'uuid', description: 'A bearer token, valid for ten minutes.' }),
  displayName: Type.String(),
  playerId: Type.String({ format: 'uuid' }),
}

/** The answer to a renewal. */
export const Renewed = ClosedObject(signedIn)

/** The answer to a new sign-in. */
export const SignedIn = ClosedObject({
  ...signedIn,
  verified: Type.Boolean({
    description:
      'True if the password matched. False where the server requires none and the password was wrong, missing, or the account has none. An account with a password then has the permissions of the default groups, and no privileged permission applies.',
  }),
  /** Wrong passwords since the last verified sign-in by password. Absent if there were none. */
  failed: Type.Optional(FailedSignIns),
})

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

/** Ends the sign-in: its tokens everywhere, and the live session that one of them opened. */
export const logout = route({
  method: 'post',
  path: '/auth/logout',
  permission: 'signed-in',
  operationId: 'signOut',
  notByToken: true,
  summary: 'End this sign-in, its tokens and its live session.',
  responses: { 204: 'The sign-in has ended.' },
  handle: async ({ signIn }, { request }) => {
    await signIn.logout(bearerOf(request))
    return noContent
  },
})

/** Issues another token of the same sign-in. The previous one expires at its own time. */
export const renew = route({
  method: 'post',
  path: '/auth/renew',
  permission: 'signed-in',
  operationId: 'renewToken',
  notByToken: true,
  summary: 'A new token for another ten minutes, up to twelve hours after the sign-in.',
  responses: { 200: Renewed },
  problems: ['sign-in-expired'],
  handle: async ({ signIn }, { request }) => ok(await signIn.renew(bearerOf(request))),
})

/** Returns the account of the token, and the groups that count in this sign-in. */
export const me = route({
  method: 'get',
  path: '/auth/me',
  permission: 'signed-in',
  operationId: 'getOwnAccount',
  summary: 'The account of the token.',
  responses: {
    200: ClosedObject({
      playerId: Type.String({ format: 'uuid' }),
      displayName: Type.String(),
      verified: Type.Boolean({ description: 'Whether the sign-in was by password or by an identity provider.' }),
      groups: Type.Array(Type.String(), {
        description:
          'The groups that count in this sign-in. An unverified sign-in of an account with a password has `defaultGroups` only.',
      }),
    }),
  },
  handle: (_deps, { actor: { playerId, displayName, verified }, request }) =>
    ok({ playerId, displayName, verified, groups: request.groups() }),
})
