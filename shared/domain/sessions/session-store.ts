import type { SavedPosition } from '../players/saved-position.ts'

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
