import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'

const Names = Type.Array(Type.String())

/** Lists the groups in force. */
export const listGroups = route({
  method: 'get',
  path: '/api/admin/groups',
  permission: 'admin.users.read',
  summary: 'The groups in force, `admin` first, with their rules before and after inheritance.',
  responses: {
    200: ClosedObject({
      groups: Type.Array(ClosedObject({ name: Type.String(), permissions: Names, inherits: Names, effective: Names })),
      defaultGroups: Names,
    }),
  },
  handle: ({ permissions }) =>
    ok({
      groups: permissions
        .listGroups()
        .map(({ name, permissions: rules, inherits, effective }) => ({ name, permissions: rules, inherits, effective })),
      defaultGroups: permissions.defaultGroups(),
    }),
})
