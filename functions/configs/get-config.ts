import { Type } from '@sinclair/typebox'
import { ok, route } from '../http/route.ts'
import { ConfigContent, ConfigParams, configMediaType } from './config-inputs.ts'

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
