import type { PlayerPlace } from '../players/player-place.ts'

/** What another node needs to go on with a session. */
export type KeptSession = {
  readonly playerId: string
  /** SHA-256 of the secret that resumes it. */
  readonly resumeHash: string
  readonly signInId: string
  /** Milliseconds since the epoch of the sign-in that opened it. */
  readonly signedInAt: number
  readonly verified: boolean
  /** In chunks: how far the player wants to see. */
  readonly wishedRadius: number
  readonly place: PlayerPlace
}

export type SessionChanges = {
  /** New ones, and those that are other than before. */
  readonly kept: readonly KeptSession[]
  /** By player id. */
  readonly ended: readonly string[]
}

/** The sessions of one world for whoever runs it. One call at a time; all throw AppError `unavailable`, and `conflict`, slug `lease-lost`, once a node with a higher fence has taken them. */
export type WorldSessions = {
  /** Takes them over: answers those that nodes before kept, and from here on none of these writes any more. */
  take(): Promise<readonly KeptSession[]>
  /** Keeps the changes and all the rest for `ttlMs` from now. False: something that was written before is gone, and all has to be written again. */
  write(changes: SessionChanges, ttlMs: number): Promise<boolean>
  /** Keeps these, and forgets all others. */
  writeAll(sessions: Iterable<KeptSession>, ttlMs: number): Promise<void>
}

/** Sessions that outlive the node on which they are, for some time after its last word. */
export type SessionStore = {
  /** `worldId` is that of the world's record, `fence` that of the lease. */
  openWorld(worldId: string, fence: number): WorldSessions
  close(): Promise<void>
}
