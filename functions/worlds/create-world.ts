import { Type } from '@sinclair/typebox'
import { WorldName } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { route } from '../http/route.ts'
import { WorldView } from './world-view.ts'

const Seed = Type.Union([
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  Type.String({ description: 'Digits are used as this integer, any other text is hashed to one.' }),
])

/** Creates a world, without any columns yet. */
export const createWorld = route({
  method: 'post',
  path: '/api/admin/worlds',
  permission: 'admin.worlds.write',
  operationId: 'createWorld',
  summary: 'Add a world with the current `worldgen.yaml`. Without a seed it gets a random one.',
  body: ClosedObject({ name: WorldName, seed: Type.Optional(Seed) }),
  responses: { 201: WorldView },
  problems: ['already-exists'],
  handle: async ({ worlds }, { body, actor }) => ({
    status: 201,
    body: await worlds.describeWorld(await worlds.createWorld(body, actor)),
  }),
})
