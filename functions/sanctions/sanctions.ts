import { Type } from '@sinclair/typebox'
import { parseEmail } from '../../shared/domain/accounts/email.ts'
import type { AccountStore } from '../../shared/domain/accounts/store/account-store.ts'
import { Sanction, SanctionKind } from '../../shared/domain/sanctions/sanction.ts'
import { noteLengthMax, reasonLengthMax } from '../../shared/domain/sanctions/sanction-input.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { PageQuery, pageLimitDefault } from '../accounts/users.ts'
import { created, ok, route } from '../http/route.ts'

/** A moderator without `admin.users.read` cannot look names up. */
export const Names = Type.Record(Type.String(), Type.String(), {
  description: 'Display names by email, for the accounts in this answer.',
})

/** The display names of accounts by email. Empty while the accounts cannot be read: moderation must still work then. */
export const findNames = async (
  { accountStore }: { readonly accountStore: Pick<AccountStore, 'findByEmail'> },
  people: readonly (string | undefined)[],
): Promise<Record<string, string>> => {
  const emails = [...new Set(people)].filter((email) => email?.includes('@'))
  try {
    const accounts = await Promise.all(emails.map((email = '') => accountStore.findByEmail(email)))
    return Object.fromEntries(accounts.flatMap((account) => (account ? [[account.email, account.displayName]] : [])))
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unavailable') return {}
    throw error
  }
}

export const listSanctions = route({
  method: 'get',
  path: '/api/admin/sanctions',
  permission: 'admin.sanctions.read',
  operationId: 'listSanctions',
  summary: 'Bans, mutes and warnings, newest first. Filters combine. `active` selects those that apply now.',
  query: ClosedObject({
    ...PageQuery,
    email: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
    kind: Type.Optional(SanctionKind),
    active: Type.Optional(Type.Boolean()),
  }),
  responses: {
    200: ClosedObject({ sanctions: Type.Array(Sanction), names: Names, nextCursor: Type.Optional(Type.String()) }),
  },
  handle: async ({ sanctions, accountStore }, { query: { limit = pageLimitDefault, email, ...query } }) => {
    const filter = { ...query, limit, ...(email !== undefined && { email: parseEmail(email) }) }
    const page = await sanctions.listSanctions(filter)
    const people = page.sanctions.flatMap(({ email: of, by, endedBy }) => [of, by, endedBy])
    return ok({ ...page, names: await findNames({ accountStore }, people) })
  },
})

/** Bans, mutes or warns an account, or bans addresses. */
export const createSanction = route({
  method: 'post',
  path: '/api/admin/sanctions',
  permission: 'admin.sanctions.write',
  operationId: 'createSanction',
  summary:
    'Ban, mute or warn an account or an email without one, or ban addresses. Applies in every process and session within a second.',
  body: ClosedObject(
    {
      kind: SanctionKind,
      email: Type.Optional(
        Type.String({ description: 'The email of an account, or one without an account yet. Otherwise give `address`.' }),
      ),
      address: Type.Optional(
        Type.String({
          maxLength: 64,
          description:
            'An IP address or a CIDR, at most /16 wide, or /32 for IPv6. Only for bans. One IPv6 address means its /64.',
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
    },
    { examples: [{ kind: 'mute', email: 'ada@example.com', reason: 'Grief at the harbour.' }] },
  ),
  responses: { 201: Sanction },
  problems: ['rule-broken', 'beyond-own-permissions', 'not-oneself', 'last-administrator', 'accounts-unreadable'],
  handle: async ({ sanctions }, { body, actor, request }) => {
    const sanction = await sanctions.impose(actor, body, request.address)
    return created(sanction, `/api/admin/sanctions/${sanction.id}`)
  },
})

export const endSanction = route({
  method: 'delete',
  path: '/api/admin/sanctions/:id',
  permission: 'admin.sanctions.write',
  operationId: 'endSanction',
  summary: 'End a sanction. One that has already ended does not change.',
  params: ClosedObject({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 200: Sanction },
  problems: ['not-found', 'beyond-own-permissions', 'not-oneself', 'accounts-unreadable'],
  handle: async ({ sanctions }, { params, actor, request }) => ok(await sanctions.end(actor, params.id, request.address)),
})
