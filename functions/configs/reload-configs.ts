import { Type } from '@sinclair/typebox'
import { reloadByActor } from '../../shared/domain/configs/current/configs.ts'
import { ok, route } from '../http/route.ts'

const closed = { additionalProperties: false }
const Names = (description: string) => Type.Array(Type.String(), { description })

export const Fault = Type.Object(
  {
    line: Type.Optional(Type.Integer({ minimum: 1 })),
    column: Type.Optional(Type.Integer({ minimum: 1 })),
    pointer: Type.Optional(Type.String()),
    message: Type.String(),
  },
  closed,
)

export const Report = Type.Object(
  {
    reloaded: Names('Read and applied, at least the parts that need no restart.'),
    changed: Names('Files of `reloaded` that changed active settings in the answering process.'),
    restartNeeded: Names('Files with changes that need a restart.'),
    failed: Type.Array(Type.Object({ name: Type.String(), errors: Type.Array(Fault) }, closed), {
      description: 'Invalid files: the last valid version stays active.',
    }),
    modules: Type.Array(
      Type.Object(
        {
          module: Type.String({ description: 'The name of the module.' }),
          keepsSettings: Type.Boolean({ description: 'True: the module runs, and keeps its settings. False: it does not run.' }),
          errors: Type.Array(Fault),
        },
        closed,
      ),
      { description: 'Modules with settings in `modules.yaml` that do not fit their schema.' },
    ),
    warnings: Type.Array(Type.String(), {
      description: 'Sentences about entries of `modules.yaml` without a module, and about modules that could not be checked.',
    }),
  },
  closed,
)

/** Applies the stored configs in every process, except for changes that need a restart. */
export const reloadConfigs = route({
  method: 'post',
  path: '/api/admin/reload',
  permission: 'admin.server.reload',
  operationId: 'reloadConfigs',
  summary:
    'Read all configs again, in every process. An invalid file keeps its last valid version. Each reload is in the audit log, even if nothing changes.',
  responses: { 200: Report },
  handle: async (deps, { actor }) => ok(await deps.checkReloaded(await reloadByActor(deps, actor))),
})
