import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { createConfigSchema, findConfigOfSchema } from '../../shared/domain/configs/config-schemas.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { ok, route } from '../http/route.ts'

/** Reads the schema of a config file, for editors. */
export const getConfigSchema = route({
  method: 'get',
  path: '/api/admin/schemas/:filename',
  permission: 'admin.configs.read',
  operationId: 'getConfigSchema',
  hasEtag: true,
  summary:
    'The JSON Schema (draft 2020-12) of a config file: `groups.schema.json`, or `skills-attacks.schema.json` for `skills/attacks.yaml`.',
  params: Type.Object({ filename: Type.String({ examples: ['groups.schema.json'] }) }),
  responses: { 200: Type.Object({}, { description: 'The schema.' }) },
  mediaType: 'application/schema+json',
  problems: ['not-found'],
  handle: (_deps, { params }) => {
    const name = findConfigOfSchema(params.filename)
    if (name === undefined) throw new AppError('not-found', 'not-found', 'There is no schema with this name.')
    const text = `${JSON.stringify(createConfigSchema(name), null, 2)}\n`
    const etag = createHash('sha256').update(text).digest('base64url')
    return { ...ok(text, etag), contentType: 'application/schema+json' }
  },
})
