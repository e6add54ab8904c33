import { Type } from '@sinclair/typebox'
import { WorldName } from '../../shared/domain/worlds/world.ts'
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
  warning: Type.Optional(Type.String({ description: 'Why its chunks cannot be read. The numbers are then 0.' })),
})
