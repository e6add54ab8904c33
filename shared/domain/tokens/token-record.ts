import type { TokenRecord } from './tokens.ts'

/** A record as a short text: a JSON array that starts with the version of the format. */
export const encodeTokenRecord = ({ playerId, verified, signInId, signedInAt, expiresAt }: TokenRecord): string =>
  JSON.stringify([1, playerId, verified, signInId, signedInAt, expiresAt])

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a stored text; undefined for any text that `encodeTokenRecord` did not write. */
export const parseTokenRecord = (text: string): TokenRecord | undefined => {
  const stored = parseJson(text)
  if (!Array.isArray(stored) || stored.length !== 6) return undefined
  const [form, playerId, verified, signInId, signedInAt, expiresAt]: unknown[] = stored
  if (form !== 1 || typeof playerId !== 'string' || typeof verified !== 'boolean' || typeof signInId !== 'string')
    return undefined
  if (typeof signedInAt !== 'number' || typeof expiresAt !== 'number') return undefined
  return { playerId, verified, signInId, signedInAt, expiresAt }
}
