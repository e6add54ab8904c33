import { Type } from '@sinclair/typebox'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { ApiToken, refuseUnknownPermissions } from '../../shared/domain/api-tokens/api-tokens.ts'
import { countsAsVerified } from '../../shared/domain/permissions/decide-permission.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { created, noContent, ok, route } from '../http/route.ts'

const { name, permissions, expiresAt } = ApiToken.properties
const Permission = Type.String({
  pattern: '^(\\*|[a-z][a-z0-9-]*(\\.[a-z0-9:-]+)*(\\.\\*)?)$',
  maxLength: 128,
  description: 'A permission, `prefix.*` or `*`.',
})
const TokenParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) })

export const CreatedApiToken = ClosedObject({
  ...ApiToken.properties,
  token: Type.String({ description: 'The secret: `ght_` and 43 characters. The server stores only its SHA-256.' }),
})

/** A stranger who types the email of an account must not leave a token behind. */
const refuseUnverifiedOwner = (actor: Actor): void => {
  if (countsAsVerified(actor)) return
  throw new AppError('forbidden', 'password-sign-in-needed', 'Sign in with your password to use API tokens.')
}

/** Lists the caller's API tokens. */
export const listOwnTokens = route({
  method: 'get',
  path: '/auth/tokens',
  permission: 'signed-in',
  operationId: 'listOwnApiTokens',
  notByToken: true,
  summary: 'Your API tokens, oldest first, without their secrets.',
  responses: { 200: ClosedObject({ tokens: Type.Array(ApiToken) }) },
  problems: ['password-sign-in-needed'],
  handle: async ({ apiTokens }, { actor }) => {
    refuseUnverifiedOwner(actor)
    return ok({ tokens: await apiTokens.list(actor.playerId) })
  },
})

/** Creates an API token for the caller. */
export const createOwnToken = route({
  method: 'post',
  path: '/auth/tokens',
  permission: 'signed-in',
  operationId: 'createOwnApiToken',
  notByToken: true,
  summary: 'Create an API token for a bot or a script. Its secret is shown once.',
  body: ClosedObject({
    name,
    permissions: Type.Array(Permission, {
      minItems: 1,
      maxItems: 64,
      uniqueItems: true,
      description: permissions.description ?? '',
    }),
    expiresAt,
  }),
  responses: { 201: CreatedApiToken },
  problems: ['password-sign-in-needed', 'unknown-permission', 'rule-broken'],
  handle: async ({ apiTokens, permissions }, { actor, body }) => {
    refuseUnverifiedOwner(actor)
    await refuseUnknownPermissions(permissions.names, body.permissions)
    const { token, created: made } = await apiTokens.create({ playerId: actor.playerId, actor, target: actor.email }, body)
    return created({ ...made, token }, `/auth/tokens/${made.id}`)
  },
})

/** Deletes one of the caller's API tokens. */
export const deleteOwnToken = route({
  method: 'delete',
  path: '/auth/tokens/:id',
  permission: 'signed-in',
  operationId: 'deleteOwnApiToken',
  notByToken: true,
  summary: 'Delete one of your API tokens. Connections that it opened are closed.',
  params: TokenParams,
  responses: { 204: 'The token is deleted.' },
  problems: ['password-sign-in-needed', 'not-found'],
  handle: async ({ apiTokens }, { actor, params }) => {
    refuseUnverifiedOwner(actor)
    const change = { playerId: actor.playerId, actor, target: actor.email }
    if (!(await apiTokens.end(change, params.id)))
      throw new AppError('not-found', 'not-found', 'You have no API token with that id.')
    return noContent
  },
})
