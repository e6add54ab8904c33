import { Type } from '@sinclair/typebox'
import { ok, route } from '../http/route.ts'

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
