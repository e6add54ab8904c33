import { Type } from '@sinclair/typebox'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { ok, route } from '../http/route.ts'
import { ConfigContent, ConfigParams, configMediaType } from './config-inputs.ts'

export const Revision = ClosedObject({
  revision: Type.String(),
  savedAt: Type.String({ format: 'date-time' }),
  savedBy: Type.String({
    description: 'An email; `default` for the bundled text, `file` for a text that was written outside the server.',
  }),
})

/** Lists previous texts of a config file, or reads one of them. To revert, save it again. */
export const listConfigRevisions = route({
  method: 'get',
  path: '/api/admin/config-revisions/*name',
  permission: 'admin.configs.read',
  operationId: 'listConfigRevisions',
  summary: 'The last 20 previous texts of a config file, newest first. With `revision`, this text.',
  params: ConfigParams,
  query: ClosedObject({ revision: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })) }),
  responses: { 200: Type.Array(Revision) },
  alternatives: { [configMediaType]: ConfigContent },
  problems: ['not-found'],
  handle: async ({ configEditor }, { params: { name }, query: { revision }, actor }) => {
    if (revision === undefined) return ok(await configEditor.revisions(name, actor))
    return { ...ok(await configEditor.getRevision(name, revision, actor)), contentType: configMediaType }
  },
})
