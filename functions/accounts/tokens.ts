import { Type } from '@sinclair/typebox'
import { ApiToken } from '../../shared/domain/api-tokens/api-tokens.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { noContent, ok, route } from '../http/route.ts'

export const ListedToken = ClosedObject({
  ...ApiToken.properties,
  playerId: Type.String({ format: 'uuid', description: 'The owner.' }),
  email: Type.Optional(Type.String({ description: 'The email of the owner. Absent if the account is gone.' })),
})

/** Lists the API tokens of all accounts. */
export const listTokens = route({
  method: 'get',
  path: '/api/admin/tokens',
  permission: 'admin.tokens.read',
  operationId: 'listApiTokens',
  notByToken: true,
  summary: 'The API tokens of all accounts, oldest first, or those of one account. Their secrets are never shown.',
  query: ClosedObject({ email: Type.Optional(Type.String({ maxLength: 254 })) }),
  responses: { 200: ClosedObject({ tokens: Type.Array(ListedToken) }) },
  problems: ['not-found', 'accounts-unreadable'],
  handle: async ({ apiTokens, accounts, accountStore }, { query: { email } }) => {
    if (email !== undefined) {
      const owner = await accounts.getAccount(email)
      const tokens = await apiTokens.list(owner.playerId)
      return ok({ tokens: tokens.map((token) => ({ ...token, playerId: owner.playerId, email: owner.email })) })
    }
    const emails = new Map<string, string | undefined>()
    const tokens = await apiTokens.listAll()
    for (const { playerId } of tokens)
      if (!emails.has(playerId)) emails.set(playerId, (await accountStore.findByPlayerId(playerId))?.email)
    const viewed = tokens.map((token) => {
      const owner = emails.get(token.playerId)
      return { ...token, ...(owner !== undefined && { email: owner }) }
    })
    return ok({ tokens: viewed })
  },
})

/** Deletes the API token of any account. */
export const deleteToken = route({
  method: 'delete',
  path: '/api/admin/tokens/:id',
  permission: 'admin.tokens.write',
  operationId: 'deleteApiToken',
  notByToken: true,
  summary: 'Delete an API token of any account. Connections that it opened are closed.',
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 204: 'The token is deleted.' },
  problems: ['not-found', 'accounts-unreadable'],
  handle: async ({ apiTokens, accountStore }, { actor, params }) => {
    const playerId = await apiTokens.findOwner(params.id)
    const missing = () => new AppError('not-found', 'not-found', 'There is no API token with that id.')
    if (playerId === undefined) throw missing()
    const target = (await accountStore.findByPlayerId(playerId))?.email ?? playerId
    if (!(await apiTokens.end({ playerId, actor, target }, params.id))) throw missing()
    return noContent
  },
})
