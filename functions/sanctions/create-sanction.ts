import { Type } from '@sinclair/typebox'
import { Sanction, SanctionKind } from '../../shared/domain/sanctions/sanction.ts'
import { noteLengthMax, reasonLengthMax } from '../../shared/domain/sanctions/sanction-input.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { created, route } from '../http/route.ts'

/** Bans, mutes or warns an account, or bans addresses. */
export const createSanction = route({
  method: 'post',
  path: '/api/admin/sanctions',
  permission: 'admin.sanctions.write',
  operationId: 'createSanction',
  summary:
    'Ban, mute or warn an account or an email without one, or ban addresses. Applies in every process and session within a second.',
  body: ClosedObject({
    kind: SanctionKind,
    email: Type.Optional(
      Type.String({ description: 'The email of an account, or one without an account yet. Otherwise give `address`.' }),
    ),
    address: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'An IP address or a CIDR, at most /16 wide, or /32 for IPv6. Only for bans. One IPv6 address means its /64.',
      }),
    ),
    reason: Type.String({ minLength: 1, maxLength: reasonLengthMax }),
    note: Type.Optional(Type.String({ minLength: 1, maxLength: noteLengthMax })),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 64,
        description: 'A time in the future. A ban without it needs `admin.sanctions.forever`.',
      }),
    ),
  }),
  responses: { 201: Sanction },
  problems: ['rule-broken', 'beyond-own-permissions', 'not-oneself', 'last-administrator', 'accounts-unreadable'],
  handle: async ({ sanctions }, { body, actor, request }) => {
    const sanction = await sanctions.impose(actor, body, request.address)
    return created(sanction, `/api/admin/sanctions/${sanction.id}`)
  },
})
