import { createHash } from 'node:crypto'

/** Taken off the first 64 bits of the hash, so that 53 remain: every safe integer that is not negative. */
const surplusBits = 11n

/**
 * The seed that a text stands for: digits with or without a sign are that integer when it is safe; any other text is hashed, to the
 * first 53 bits of the SHA-256 of its UTF-8. Never changes: a world must come out the same from the same text.
 */
export const seedOf = (text: string): number => {
  const written = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  // Zero has no sign.
  if (Number.isSafeInteger(written)) return written + 0
  const hash = createHash('sha256').update(text, 'utf8').digest()
  return Number(hash.readBigUInt64BE(0) >> surplusBits)
}
