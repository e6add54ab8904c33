import { Type } from '@sinclair/typebox'
import { createParser } from '../../kernel/schema.ts'
import { SavedPosition } from '../players/player-state.ts'

/** The data that another node needs to continue a session. */
export type KeptSession = {
  readonly playerId: string
  /** SHA-256 of the secret that resumes it. */
  readonly resumeHash: string
  readonly signInId: string
  /** Time of the sign-in, in milliseconds since the epoch. */
  readonly signedInAt: number
  readonly verified: boolean
  /** Of a session that an API token opened: the permissions that the token is limited to. */
  readonly scope?: readonly string[]
  /** When that token expires, in milliseconds since the epoch. */
  readonly expiresAt?: number
  /** The requested view radius, in chunks. */
  readonly wishedRadius: number
  readonly place: SavedPosition
}

export type SessionChanges = {
  /** New and changed sessions. */
  readonly kept: readonly KeptSession[]
  /** By player id. */
  readonly ended: readonly string[]
}

/**
 * The sessions of one world, for its holder. Make one call at a time. All methods throw AppError `unavailable`, and `conflict`, slug
 * `lease-lost`, after a node with a higher fence took them over.
 */
export type WorldSessions = {
  /** Takes the sessions over and returns those of previous nodes, which can no longer write. */
  take(): Promise<readonly KeptSession[]>
  /**
   * Writes the changes and extends all sessions to `ttlMs` from now. Returns false if earlier writes are lost: then call `writeAll`.
   */
  write(changes: SessionChanges, ttlMs: number): Promise<boolean>
  /** Replaces all sessions with these. */
  writeAll(sessions: Iterable<KeptSession>, ttlMs: number): Promise<void>
}

/** Sessions that outlive their node, for some time after its last write. */
export type SessionStore = {
  /** `worldId` is the id of the world's record, `fence` that of the lease. */
  openWorld(worldId: string, fence: number): WorldSessions
  close(): Promise<void>
}

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
