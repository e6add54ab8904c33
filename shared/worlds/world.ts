import { type Static, Type } from '@sinclair/typebox'
import { createCollection } from '../storage/store.ts'

export const WorldName = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })

/** What is kept of a world besides its chunks. */
export const WorldRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: WorldName,
    /** A safe integer. */
    seed: Type.Integer(),
    createdAt: Type.String({ format: 'date-time' }),
    /** The version of the generator that makes its terrain, such as `terrain-1`. */
    generator: Type.String(),
    /** `worldgen.yaml` as it was when the world was made, so that a change of it tears no world. */
    settings: Type.Unknown(),
  },
  { additionalProperties: false },
)
export type WorldRecord = Static<typeof WorldRecord>

/** By name. */
export const worldRecords = createCollection('worlds', WorldRecord)
