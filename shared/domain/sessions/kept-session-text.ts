import { Type } from '@sinclair/typebox'
import { createParser } from '../../kernel/schema.ts'
import { SavedPosition } from '../players/saved-position.ts'
import type { KeptSession } from './session-store.ts'

const Kept = Type.Object({
  form: Type.Union([Type.Literal(1), Type.Literal(2)]),
  resumeHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  signInId: Type.String(),
  signedInAt: Type.Number(),
  verified: Type.Boolean(),
  scope: Type.Optional(Type.Array(Type.String())),
  expiresAt: Type.Optional(Type.Number()),
  wishedRadius: Type.Integer({ minimum: 0 }),
  place: SavedPosition,
})
const parseKept = createParser(Kept)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A session without its playerId as a short text: a JSON array that starts with the version of the format. */
export const formatKeptSession = ({ place, ...session }: KeptSession): string => {
  const { resumeHash, signInId, signedInAt, verified, wishedRadius, scope, expiresAt } = session
  const { x, y, z, yaw, pitch } = place
  const fields = [resumeHash, signInId, signedInAt, verified, wishedRadius, x, y, z, yaw, pitch]
  // A node of an older version cannot read form 2. It must not resume the session without its scope.
  return JSON.stringify(scope === undefined ? [1, ...fields] : [2, ...fields, scope, expiresAt])
}

/** Parses such a text; undefined for any text that `formatKeptSession` did not write. */
export const parseKeptSession = (playerId: string, text: string): KeptSession | undefined => {
  const stored = parseJson(text)
  if (!Array.isArray(stored)) return undefined
  const [form, resumeHash, signInId, signedInAt, verified, wishedRadius, x, y, z, yaw, pitch, scope, expiresAt]: unknown[] =
    stored
  const place = { x, y, z, yaw, pitch }
  const parsed = parseKept({
    form,
    resumeHash,
    signInId,
    signedInAt,
    verified,
    wishedRadius,
    place,
    ...(form === 2 && { scope, expiresAt }),
  })
  if (!parsed.ok || (form === 2 && parsed.value.expiresAt === undefined)) return undefined
  const { form: _, ...session } = parsed.value
  return { playerId, ...session }
}
