import { Type } from '@sinclair/typebox'
import { ok, route } from '../http/route.ts'

const Names = Type.Array(Type.String())

/** Lists the groups in force. */
export const listGroups = route({
  method: 'get',
  path: '/api/admin/groups',
  permission: 'admin.users.read',
  summary: 'The groups in force, `admin` first, with their rules before and after inheritance.',
  responses: {
    200: Type.Object(
      {
        groups: Type.Array(
          Type.Object(
            { name: Type.String(), permissions: Names, inherits: Names, effective: Names },
            { additionalProperties: false },
          ),
        ),
        defaultGroups: Names,
      },
      { additionalProperties: false },
    ),
  },
  handle: ({ permissions }) =>
    ok({
      groups: permissions
        .listGroups()
        .map(({ name, permissions: rules, inherits, effective }) => ({ name, permissions: rules, inherits, effective })),
      defaultGroups: permissions.defaultGroups(),
    }),
})
