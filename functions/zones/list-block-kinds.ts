import { Type } from '@sinclair/typebox'
import { BlocksConfig } from '../../shared/domain/worlds/blocks-config.ts'
import { ok, route } from '../http/route.ts'

/** Lists the active kinds of blocks, which an editor of zones draws and offers. */
export const listBlockKinds = route({
  method: 'get',
  path: '/api/admin/blocks',
  permission: 'admin.instances.read',
  operationId: 'listBlockKinds',
  summary: 'The active kinds of blocks, in the order of `blocks.yaml`. `air` always exists and is not listed.',
  responses: { 200: Type.Index(BlocksConfig, ['blocks']) },
  problems: [],
  handle: ({ configs }) => ok(configs.get('blocks.yaml').blocks),
})
