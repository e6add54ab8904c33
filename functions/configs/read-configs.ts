import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { configNames } from '../../shared/domain/configs/catalogue.ts'
import { createConfigSchema, findConfigOfSchema } from '../../shared/domain/configs/config-schemas.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { ok, route } from '../http/route.ts'

/** A config file by its name. An unknown one is a 404, not an invalid address. */
export const ConfigParams = Type.Object({
  name: Type.String({
    description: 'Name of a config file, with its slashes. `%2F` works as a slash too.',
    examples: configNames,
  }),
})

/** Media types in which a config text is sent. */
export const configMediaTypes = ['application/yaml', 'text/yaml', 'text/plain'] as const

/** Media type in which it is returned (RFC 9512). */
const configMediaType = 'application/yaml'

export const ConfigContent = Type.String({ description: 'YAML 1.2 in UTF-8, at most 1 MiB.' })

export const SaveEffect = Type.Union([Type.Literal('reload'), Type.Literal('restart')], {
  description: 'The effect that applies the whole text.',
})

/** Lists all config files, whether or not they are in the data folder. */
export const listConfigs = route({
  method: 'get',
  path: '/api/admin/configs',
  permission: 'admin.configs.read',
  operationId: 'listConfigs',
  summary: 'The names of the config files, sorted.',
  responses: { 200: Type.Array(Type.String()) },
  handle: ({ configEditor }) => ok(configEditor.list()),
})

export const ListedConfig = ClosedObject({
  name: Type.String({ description: 'The name of the file.' }),
  summary: Type.String({ description: 'What the file configures, in one sentence.' }),
  effect: SaveEffect,
  isDefault: Type.Optional(
    Type.Boolean({
      description:
        'Whether its values equal the bundled ones, whatever the comments. Absent, like the next two, without the permission to read the file.',
    }),
  ),
  savedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the text was saved. Absent for the bundled text.' }),
  ),
  savedBy: Type.Optional(
    Type.String({ description: 'The email of the author; `file` for a text that was written outside the server.' }),
  ),
})

/** Lists the config files with their purpose, their author, and whether they differ from the default. */
export const describeConfigs = route({
  method: 'get',
  path: '/api/admin/config-files',
  permission: 'admin.configs.read',
  operationId: 'describeConfigs',
  summary: 'The config files with their purpose, the author of the text, and whether the values differ from the default.',
  responses: { 200: Type.Array(ListedConfig) },
  handle: async ({ configEditor }, { actor }) => ok(await configEditor.describeAll(actor)),
})

export const getConfig = route({
  method: 'get',
  path: '/api/admin/configs/*name',
  permission: 'admin.configs.read',
  operationId: 'getConfig',
  hasEtag: true,
  summary: 'The text of a config file with its comments. A file that is not in the data folder returns the bundled default.',
  params: ConfigParams,
  responses: { 200: ConfigContent },
  mediaType: configMediaType,
  responseHeaders: {
    'X-Config-Source': Type.Union([Type.Literal('data'), Type.Literal('default')], {
      description: 'Whether the text is from the data folder, or bundled.',
    }),
    'X-Config-Effect': Type.Union([Type.Literal('reload'), Type.Literal('restart')], {
      description: 'The strongest effect that a change of the file can have.',
    }),
  },
  problems: ['not-found', 'invalid-config'],
  handle: async ({ configEditor }, { params, actor }) => {
    const { text, etag, source, effect } = await configEditor.read(params.name, actor)
    const headers = { 'X-Config-Source': source, 'X-Config-Effect': effect }
    return { ...ok(text, etag), contentType: configMediaType, headers }
  },
})

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
