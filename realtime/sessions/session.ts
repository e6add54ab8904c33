import type { Account } from '../../shared/domain/accounts/account.ts'
import type { RuleSet } from '../../shared/domain/permissions/rules.ts'
import type { MoveBudget } from '../../shared/rules/movement/move-budget.ts'
import type { CommandSummary } from '../commands/executor/executor.ts'
import type { Body } from '../interest/cell.ts'
import type { Viewer } from '../interest/viewer.ts'
import type { Connection } from '../socket/connection.ts'
import type { ChunkView } from '../world/streaming/chunk-view.ts'
import type { ZonePresence } from '../zones/zone-presence.ts'

/** A player in the game, with a connection or waiting for one. Owned by the game loop; changes in ticks only. */
export type Session = {
  readonly body: Body
  readonly moves: MoveBudget
  readonly zone: ZonePresence
  account: Account
  signInId: string
  /** Milliseconds since the epoch of the sign-in that opened it. */
  signedInAt: number
  verified: boolean
  /** Commands switched off for this player. */
  disabled: ReadonlySet<string>
  /** PlayerIds of those whom this player does not want to hear. */
  ignored: ReadonlySet<string>
  /** Who wrote to this player last, or whom they wrote to. */
  lastWhisper: { readonly playerId: string; readonly displayName: string } | undefined
  /** Lines by `/msg` that this player was shown in the second that began at `sinceMs`. */
  readonly whispers: { sinceMs: number; count: number }
  /** As the client was last told. */
  commands: readonly CommandSummary[]
  /** The groups that count for it, as its client was last told. */
  groups: readonly string[]
  /** What its groups said it may do when the client was last told. */
  rules: RuleSet
  /** In chunks: what the player asked for, or what they were welcomed with. */
  wishedRadius: number
  /** That, as far as the server allows. */
  viewRadius: number
  connection: SessionConnection | undefined
  viewer: Viewer | undefined
  /** The columns that its client has. */
  chunkView: ChunkView | undefined
  /** SHA-256 of the secret that resumes it. */
  resumeHash: string
  /** Milliseconds since the epoch when the client connected last; 0 before. */
  connectedAt: number
  /** When the connection was lost, on the clock that never goes back; meaningful while there is none. */
  detachedAtMs: number
  commandsInFlight: number
  /** Goes up with each sign-in that takes the session over: what was asked before is nothing to whoever holds it then. */
  takeovers: number
}

/** A client's connection, as far as it is a session's. */
export type SessionConnection = Connection<Session>
