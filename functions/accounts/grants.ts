import { Type } from '@sinclair/typebox'
import { AccountGrant } from '../../shared/domain/permissions/account-grant.ts'
import { refuseUnknownScope } from '../../shared/domain/zones/refuse-unknown-scope.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { created, noContent, route } from '../http/route.ts'
import { AccountParams } from './users.ts'

const { group, permission, world, zone, until, reason } = AccountGrant.properties

export const createGrant = route({
  method: 'post',
  path: '/api/admin/users/:email/grants',
  permission: 'admin.users.write',
  operationId: 'createGrant',
  summary: 'Give an account a group or one permission: permanently or until a time, everywhere or in a world or a zone.',
  params: AccountParams,
  body: ClosedObject(
    { group, permission, world, zone, until, reason },
    { examples: [{ permission: 'admin.worlds.read', until: '2099-12-24T18:00:00Z', reason: 'For the bridge to Discord.' }] },
  ),
  responses: { 201: AccountGrant },
  problems: [
    'not-found',
    'stale',
    'rule-broken',
    'unknown-group',
    'unknown-permission',
    'beyond-own-permissions',
    'last-administrator',
    'accounts-unreadable',
  ],
  handle: async ({ accounts, worlds, zones }, { params, body, actor, request }) => {
    await refuseUnknownScope({ worlds, zones }, body)
    const grant = await accounts.addGrant(actor, params.email, body, request.ifMatch)
    return created(grant, `/api/admin/users/${encodeURIComponent(params.email)}/grants/${grant.id}`)
  },
})

export const deleteGrant = route({
  method: 'delete',
  path: '/api/admin/users/:email/grants/:id',
  permission: 'admin.users.write',
  operationId: 'deleteGrant',
  summary: 'Remove a grant from an account. Applies in every process and session within a second.',
  params: Type.Object({ email: Type.String(), id: Type.String() }),
  responses: { 204: 'The grant is deleted.' },
  problems: ['not-found', 'stale', 'beyond-own-permissions', 'last-administrator', 'accounts-unreadable'],
  handle: async ({ accounts }, { params, actor, request }) => {
    await accounts.removeGrant(actor, params.email, params.id, request.ifMatch)
    return noContent
  },
})
