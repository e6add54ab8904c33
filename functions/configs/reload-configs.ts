import { Type } from '@sinclair/typebox'
import { reloadByActor } from '../../shared/domain/configs/in-force/reload-by-actor.ts'
import { ok, route } from '../http/route.ts'

const closed = { additionalProperties: false }
const Names = (description: string) => Type.Array(Type.String(), { description })

const Fault = Type.Object(
  {
    line: Type.Optional(Type.Integer({ minimum: 1 })),
    column: Type.Optional(Type.Integer({ minimum: 1 })),
    pointer: Type.Optional(Type.String()),
    message: Type.String(),
  },
  closed,
)

const Report = Type.Object(
  {
    reloaded: Names('In force as they were read, or the part of them that takes no restart.'),
    changed: Names('Of `reloaded`: those that changed what is active in the process that answers.'),
    restartNeeded: Names('Something that changed there is in force after a restart.'),
    failed: Type.Array(Type.Object({ name: Type.String(), errors: Type.Array(Fault) }, closed), {
      description: 'Broken: the last good one stays in force.',
    }),
  },
  closed,
)

/** Has the stored configs in force in every process, as far as that takes no restart. */
export const reloadConfigs = route({
  method: 'post',
  path: '/api/admin/reload',
  permission: 'admin.server.reload',
  summary:
    'Read all configs again, in every process; a broken one leaves the last good one in force. Each reload is in the audit log, even one that changes nothing here.',
  responses: { 200: Report },
  handle: async (deps, { actor }) => ok(await reloadByActor(deps, actor)),
})
