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
  summary:
    'Ban, mute or warn an account or an email that none has yet, or ban addresses; in force in every process and session within a second.',
  body: ClosedObject({
    kind: SanctionKind,
    email: Type.Optional(Type.String({ description: 'Of an account, or one that no account has yet; else `address`.' })),
    address: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'An IP address or a CIDR no wider than /16, of IPv6 /32; for bans alone. One IPv6 address stands for its /64.',
      }),
    ),
    reason: Type.String({ minLength: 1, maxLength: reasonLengthMax }),
    note: Type.Optional(Type.String({ minLength: 1, maxLength: noteLengthMax })),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 64,
        description: 'An instant in the future; a ban without it needs `admin.sanctions.forever`.',
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
