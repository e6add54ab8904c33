import { createHash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { createCollection } from '../../platform/storage/store.ts'
import { blockMax, blockMin, worldHeight } from '../../rules/positions.ts'

/** Taken off the first 64 bits of the hash, so that 53 remain: every safe integer that is not negative. */
const surplusBits = 11n

/**
 * The seed that a text stands for. Digits with or without a sign are that integer when it is safe. Any other text is hashed, to the first 53 bits of the SHA-256 of its UTF-8. Never changes: a world must come out the same from the same text.
 */
export const seedOf = (text: string): number => {
  const written = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  // Zero has no sign.
  if (Number.isSafeInteger(written)) return written + 0
  const hash = createHash('sha256').update(text, 'utf8').digest()
  return Number(hash.readBigUInt64BE(0) >> surplusBits)
}

export const WorldName = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })

/** Where players appear for the first time; without `y` on the ground at that place. */
export const WorldSpawn = ClosedObject({
  x: Type.Number({ minimum: blockMin, maximum: blockMax }),
  y: Type.Optional(Type.Number({ minimum: 0, maximum: worldHeight })),
  z: Type.Number({ minimum: blockMin, maximum: blockMax }),
  yaw: Type.Optional(Type.Number({ minimum: 0, maximum: 360 })),
})
export type WorldSpawn = Static<typeof WorldSpawn>

/** What is kept of a world besides its chunks. */
export const WorldRecord = ClosedObject({
  id: Type.String({ format: 'uuid' }),
  name: WorldName,
  /** A safe integer. */
  seed: Type.Integer(),
  createdAt: Type.String({ format: 'date-time' }),
  /** The version of the generator that makes its terrain, such as `terrain-1`. */
  generator: Type.String(),
  /** `worldgen.yaml` as it was when the world was made, so that a change of it tears no world. */
  settings: Type.Unknown(),
  /** Absent of worlds from before there was one: then it is on the dry land nearest to the middle. */
  spawn: Type.Optional(WorldSpawn),
})
export type WorldRecord = Static<typeof WorldRecord>

/** By name. */
export const worldRecords = createCollection('worlds', WorldRecord)
