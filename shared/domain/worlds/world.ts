import { createHash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createCollection } from '../../platform/storage/store.ts'
import { blockMax, blockMin, worldHeight } from '../../rules/positions.ts'

/** The bits dropped from the first 64 bits of the hash, so that 53 remain: a safe integer that is not negative. */
const surplusBits = 11n

/**
 * The seed of a text. Digits with an optional sign are that integer if it is safe. Any other text gives the first 53 bits of the
 * SHA-256 of its UTF-8. Never changes, so that the same text always gives the same world.
 */
export const seedOf = (text: string): number => {
  const written = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  // Turns -0 into 0.
  if (Number.isSafeInteger(written)) return written + 0
  const hash = createHash('sha256').update(text, 'utf8').digest()
  return Number(hash.readBigUInt64BE(0) >> surplusBits)
}

export const WorldName = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })

/** The position of new players; without `y`, on the ground there. */
export const WorldSpawn = ClosedObject({
  x: Type.Number({ minimum: blockMin, maximum: blockMax }),
  y: Type.Optional(Type.Number({ minimum: 0, maximum: worldHeight })),
  z: Type.Number({ minimum: blockMin, maximum: blockMax }),
  yaw: Type.Optional(Type.Number({ minimum: 0, maximum: 360 })),
})
export type WorldSpawn = Static<typeof WorldSpawn>

/** The stored data of a world besides its chunks. */
export const WorldRecord = ClosedObject({
  id: Type.String({ format: 'uuid' }),
  name: WorldName,
  /** A safe integer. */
  seed: Type.Integer(),
  createdAt: Type.String({ format: 'date-time' }),
  /** The version of its generator, such as `terrain-1`. */
  generator: Type.String(),
  /** The `worldgen.yaml` of its creation, so that later changes do not affect the world. */
  settings: Type.Unknown(),
  /** Absent in old worlds. Their spawn is the dry land nearest to the middle. */
  spawn: Type.Optional(WorldSpawn),
})
export type WorldRecord = Static<typeof WorldRecord>

/** By name. */
export const worldRecords = createCollection('worlds', WorldRecord)
