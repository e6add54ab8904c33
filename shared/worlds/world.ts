import { createHash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../kernel/closed-object.ts'
import { createCollection } from '../storage/store.ts'

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
})
export type WorldRecord = Static<typeof WorldRecord>

/** By name. */
export const worldRecords = createCollection('worlds', WorldRecord)
