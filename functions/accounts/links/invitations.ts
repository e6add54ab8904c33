import { Type } from '@sinclair/typebox'
import { Invitation } from '../../../shared/domain/auth/own-accounts/invitation.ts'
import { ClosedObject } from '../../../shared/kernel/closed-object.ts'
import { created, noContent, ok, route } from '../../http/route.ts'

const { groups, note, until } = Invitation.properties
const problems = ['unknown-group', 'beyond-own-permissions', 'rule-broken', 'conflict'] as const

/** Invites somebody to make an account. */
export const createInvitation = route({
  method: 'post',
  path: '/api/admin/invitations',
  permission: 'admin.users.write',
  summary: 'Make the code of an invitation: one account, by default within a week. It is shown here and never again.',
  body: ClosedObject({ groups: Type.Optional(Type.Array(Type.String(), { maxItems: 32 })), note, until: Type.Optional(until) }),
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

/** Lists the invitations that nobody has used. */
export const listInvitations = route({
  method: 'get',
  path: '/api/admin/invitations',
  permission: 'admin.users.read',
  summary: 'The invitations that are open, newest first, without their codes.',
  responses: { 200: ClosedObject({ invitations: Type.Array(Invitation) }) },
  handle: async ({ invitations }) => ok({ invitations: [...(await invitations.list())] }),
})

/** Takes an invitation back. */
export const deleteInvitation = route({
  method: 'delete',
  path: '/api/admin/invitations/:id',
  permission: 'admin.users.write',
  summary: 'Take an invitation back; an account that was made with it stays.',
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 204: 'The invitation opens nothing any more.' },
  problems: ['not-found', 'conflict'],
  handle: async ({ invitations }, { params, actor }) => {
    await invitations.remove(actor, params.id)
    return noContent
  },
})
