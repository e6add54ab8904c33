import { Type } from '@sinclair/typebox'
import { Invitation } from '../../../shared/domain/auth/own-accounts/invitation.ts'
import { ClosedObject } from '../../../shared/kernel/closed-object.ts'
import { created, noContent, ok, route } from '../../http/route.ts'

const { groups, note, until } = Invitation.properties
const problems = ['unknown-group', 'beyond-own-permissions', 'rule-broken', 'conflict'] as const

export const createInvitation = route({
  method: 'post',
  path: '/api/admin/invitations',
  permission: 'admin.users.write',
  operationId: 'createInvitation',
  summary: 'Create an invitation code for one account, valid for a week by default. Only this answer shows it.',
  body: ClosedObject(
    { groups: Type.Optional(Type.Array(Type.String(), { maxItems: 32 })), note, until: Type.Optional(until) },
    { examples: [{ groups: ['builder'], note: 'For Bea.' }] },
  ),
  responses: {
    201: ClosedObject({
      ...Invitation.properties,
      groups,
      code: Type.String({ description: 'For `invitation` of `POST /auth/register`.' }),
    }),
  },
  problems: [...problems],
  handle: async ({ invitations }, { body, actor }) => {
    const made = await invitations.create(actor, body)
    return created(made, `/api/admin/invitations/${made.id}`)
  },
})

/** Lists unused invitations. */
export const listInvitations = route({
  method: 'get',
  path: '/api/admin/invitations',
  permission: 'admin.users.read',
  operationId: 'listInvitations',
  summary: 'Unused invitations, newest first, without their codes.',
  responses: { 200: ClosedObject({ invitations: Type.Array(Invitation) }) },
  handle: async ({ invitations }) => ok({ invitations: [...(await invitations.list())] }),
})

/** Revokes an invitation. */
export const deleteInvitation = route({
  method: 'delete',
  path: '/api/admin/invitations/:id',
  permission: 'admin.users.write',
  operationId: 'deleteInvitation',
  summary: 'Revoke an invitation. An account that was created with it stays.',
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 204: 'The invitation is revoked.' },
  problems: ['not-found', 'conflict'],
  handle: async ({ invitations }, { params, actor }) => {
    await invitations.remove(actor, params.id)
    return noContent
  },
})
