import { Type } from '@sinclair/typebox'
import { WorldName, WorldSpawn } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'

/** A world as administrators see it. */
export const WorldView = ClosedObject({
  name: WorldName,
  seed: Type.Integer(),
  chunkCount: Type.Integer({ minimum: 0, description: 'Generated columns.' }),
  createdAt: Type.String({ format: 'date-time' }),
  active: Type.Boolean({ description: 'Whether the server runs this world.' }),
  generator: Type.String({ description: 'The version of the generator that creates its terrain.' }),
  sizeBytes: Type.Integer({ minimum: 0, description: 'The size of its chunks in the store.' }),
  spawn: Type.Optional(
    ClosedObject(WorldSpawn.properties, {
      description: 'Where new players appear. Absent in old worlds: there it is the dry land nearest to the middle.',
    }),
  ),
  warning: Type.Optional(Type.String({ description: 'Why its chunks cannot be read. The numbers are then 0.' })),
})
