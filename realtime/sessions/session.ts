import type { Account } from '../../shared/domain/accounts/account.ts'
import type { RuleSet } from '../../shared/domain/permissions/rules.ts'
import type { MoveBudget } from '../../shared/rules/movement/move-budget.ts'
import type { CommandSummary } from '../commands/executor/executor.ts'
import type { Body } from '../interest/cells.ts'
import type { Viewer } from '../interest/viewer.ts'
import type { Connection } from '../socket/connection.ts'
import type { ChunkView } from '../world/streaming/chunk-view.ts'
import type { ZonePresence } from '../zones/greet-in-zones.ts'

/** A player in the game, connected or waiting to be resumed. Owned by the game loop; changes in ticks only. */
export type Session = {
  readonly body: Body
  readonly moves: MoveBudget
  readonly zone: ZonePresence
  account: Account
  signInId: string
  /** The time of its sign-in, in milliseconds since the epoch. */
  signedInAt: number
  verified: boolean
  /** Of a connection with an API token: the permissions that the token is limited to. */
  scope: readonly string[] | undefined
  /** When that token expires, in milliseconds since the epoch. */
  endsAt: number | undefined
  /** Commands that are switched off for this player. */
  disabled: ReadonlySet<string>
  /** The playerIds of ignored players. */
  ignored: ReadonlySet<string>
  /** The last whisper partner. */
  lastWhisper: { readonly playerId: string; readonly displayName: string } | undefined
  /** The number of whispers to this player in the second that began at `sinceMs`. */
  readonly whispers: { sinceMs: number; count: number }
  /** As the client knows them. */
  commands: readonly CommandSummary[]
  /** The active groups, as the client knows them. */
  groups: readonly string[]
  /** The rules of its groups, as the client knows them. */
  rules: RuleSet
  /** The requested view radius in chunks, or that of Welcome. */
  wishedRadius: number
  /** The effective view radius. */
  viewRadius: number
  connection: SessionConnection | undefined
  viewer: Viewer | undefined
  /** The columns that the client has. */
  chunkView: ChunkView | undefined
  /** The SHA-256 of the resume token. */
  resumeHash: string
  /** When the client connected last, in milliseconds since the epoch. 0 before. */
  connectedAt: number
  /** When the connection was lost, on the monotonic clock. Only valid without a connection. */
  detachedAtMs: number
  commandsInFlight: number
  /** Messages to modules without a reply yet. */
  modulesInFlight: number
  /** The number of sign-ins that took over the session. Answers to requests of an earlier sign-in are dropped. */
  takeovers: number
}

/** The connection of a session. */
export type SessionConnection = Connection<Session>
