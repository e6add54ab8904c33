import { Type } from '@sinclair/typebox'
import { ConfigChange, ConfigImpact } from '../../shared/domain/configs/compare/config-impact-schema.ts'
import { configBytesMax } from '../../shared/domain/configs/texts/config-files.ts'
import { ok, route } from '../http/route.ts'
import { ConfigContent, ConfigParams, configMediaTypes, SaveEffect } from './read-configs.ts'

const closed = { additionalProperties: false }

export const Saved = Type.Object({ name: Type.String(), etag: Type.String(), effect: SaveEffect }, closed)

export const Rehearsed = Type.Object(
  {
    name: Type.String(),
    effect: SaveEffect,
    changes: Type.Array(ConfigChange, { description: 'From the stored text to the sent one.' }),
    impact: ConfigImpact,
  },
  closed,
)

/** Replaces the text of a config file, or only reports the effect of that. */
export const saveConfig = route({
  method: 'put',
  path: '/api/admin/configs/*name',
  permission: 'admin.configs.write',
  operationId: 'saveConfig',
  hasEtag: true,
  summary:
    'Check a config text and save it. With `dryRun=true`, only report the changes, the affected accounts, and how the changes apply.',
  params: ConfigParams,
  query: Type.Object({ dryRun: Type.Optional(Type.Boolean()) }, closed),
  body: ConfigContent,
  bodyBytesMax: configBytesMax,
  bodyMediaTypes: configMediaTypes,
  responses: { 200: Type.Union([Saved, Rehearsed], { description: '`ConfigDryRun` with `dryRun=true`, else `SavedConfig`.' }) },
  problems: [
    'not-found',
    'stale',
    'invalid-config',
    'unknown-group',
    'unknown-permission',
    'beyond-own-permissions',
    'storage-full',
  ],
  handle: async ({ configEditor }, { params, query, body, actor, request: { ifMatch } }) => {
    const writer = { actor, ...(ifMatch === undefined ? {} : { ifEtag: ifMatch }) }
    if (query.dryRun === true) return ok(await configEditor.rehearse(params.name, body, writer))
    const saved = await configEditor.save(params.name, body, writer)
    return ok(saved, saved.etag)
  },
})
