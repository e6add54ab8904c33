import { Type } from '@sinclair/typebox'
import { BlocksConfig } from '../../shared/domain/worlds/blocks-config.ts'
import { ok, route } from '../http/route.ts'

/** Lists the kinds of blocks in force: what an editor of zones draws with and offers. */
export const listBlockKinds = route({
  method: 'get',
  path: '/api/admin/blocks',
  permission: 'admin.instances.read',
  summary: 'The kinds of blocks that are in force, in the order of `blocks.yaml`; `air` is always there and not listed.',
  responses: { 200: Type.Index(BlocksConfig, ['blocks']) },
  problems: [],
  handle: ({ configs }) => ok(configs.get('blocks.yaml').blocks),
})
