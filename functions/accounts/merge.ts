import { Type } from '@sinclair/typebox'
import { AccountView, viewAccountAt } from '../../shared/domain/accounts/account-view.ts'
import { type Merge, mergeAccounts, planMerge } from '../../shared/domain/merge/merge-accounts.ts'
import { Sanction } from '../../shared/domain/sanctions/sanction.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { AccountParams } from './users.ts'

const MergeResult = ClosedObject({
  into: AccountView,
  addedGroups: Type.Array(Type.String(), { description: 'Groups that the remaining account gets.' }),
  addedGrants: Type.Integer({ description: 'Grants that the remaining account gets.' }),
  movesPassword: Type.Boolean({
    description: 'Whether the remaining account gets the password of the other, because it has none.',
  }),
  sanctions: Type.Array(Sanction, {
    description: 'Active sanctions of the other account that the remaining account gets too.',
  }),
  zones: Type.Array(ClosedObject({ id: Type.String({ format: 'uuid' }), name: Type.String() }), {
    description: 'Zones whose owner or member changes.',
  }),
  apiTokens: Type.Integer({ description: 'API tokens of the other account that end.' }),
})

const viewMerge = ({ into, addedGroups, sanctions, zones, ...rest }: Merge, nowMs: number) => ({
  into: viewAccountAt(into, nowMs),
  addedGroups: [...addedGroups],
  sanctions: [...sanctions],
  zones: zones.map(({ id, name }) => ({ id, name })),
  ...rest,
})

/** Merges an account into another and deletes it. */
export const mergeUser = route({
  method: 'post',
  path: '/api/admin/users/:email/merge',
  permission: 'admin.users.write',
  operationId: 'mergeAccount',
  summary:
    'Merge this account into another and delete it. Groups, grants, zones and active sanctions go to the other account. Its password stays; without one it gets that of this account. Sign-ins and API tokens of this account end. Positions and data of modules are not moved. All audit entries have one `requestId`. If the server stops in between, send the same request again. Sanctions need `admin.sanctions.write`, zones `admin.instances.write` too.',
  params: AccountParams,
  body: ClosedObject({
    into: Type.String({ minLength: 1, maxLength: 254, description: 'The email of the account that remains.' }),
    dryRun: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: MergeResult },
  problems: [
    'not-found',
    'rule-broken',
    'missing-permission',
    'beyond-own-permissions',
    'common-password',
    'not-oneself',
    'last-administrator',
    'accounts-unreadable',
  ],
  handle: async (deps, { params, body: { into, dryRun = false }, actor, request }) => {
    const texts = { from: params.email, into }
    if (!dryRun) return ok(viewMerge(await mergeAccounts(deps, actor, texts, request.address), deps.clock.now()))
    const { from: _, ...merge } = await planMerge(deps, actor, texts)
    return ok(viewMerge(merge, deps.clock.now()))
  },
})
