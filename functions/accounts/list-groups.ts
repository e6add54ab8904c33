import { Type } from '@sinclair/typebox'
import type { GroupView } from '../../shared/domain/permissions/permissions.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { letOthersWork } from '../../shared/kernel/turns.ts'
import { route, stream } from '../http/route.ts'

const Names = Type.Array(Type.String())

/** A group with its rules. */
export const Group = ClosedObject({ name: Type.String(), permissions: Names, inherits: Names, effective: Names })

/** Characters to write before other requests get a slot. A thousand groups can be megabytes, and inherit as much. */
const writtenAtOnce = 65_536

const groupPieces = async function* (groups: Iterable<GroupView>, defaultGroups: readonly string[]): AsyncGenerator<string> {
  let piece = '{"groups":['
  let separator = ''
  for (const { name, permissions, inherits, effective } of groups) {
    piece += separator + JSON.stringify({ name, permissions, inherits, effective })
    separator = ','
    if (piece.length < writtenAtOnce) continue
    yield piece
    piece = ''
    await letOthersWork()
  }
  yield `${piece}],"defaultGroups":${JSON.stringify(defaultGroups)}}`
}

/** Lists the active groups. */
export const listGroups = route({
  method: 'get',
  path: '/api/admin/groups',
  permission: 'admin.users.read',
  operationId: 'listGroups',
  summary: 'The active groups, `admin` first, with their rules before and after inheritance.',
  responses: {
    200: ClosedObject({
      groups: Type.Array(Group),
      defaultGroups: Names,
    }),
  },
  problems: ['answer-too-large'],
  handle: ({ permissions }) =>
    stream('application/json; charset=utf-8', groupPieces(permissions.eachGroup(), permissions.defaultGroups())),
})
