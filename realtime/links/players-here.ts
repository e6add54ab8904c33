import type { ReportedPlayer } from '../../shared/domain/players/online-players.ts'
import type { PlayerOrder, PlayerOutcome } from '../../shared/domain/players/player-orders.ts'
import type { DisplacedHere } from './displacement.ts'
import type { Whisper, Whispered } from './players-elsewhere.ts'

/** What other nodes may do to the players of this one; takes effect in the next tick. */
export type PlayersHere = DisplacedHere & {
  /** Whether the player had a session. */
  kick(playerId: string, reason: string): Promise<boolean>
  /** Whether the player is connected and was told. */
  message(playerId: string, from: string, text: string): Promise<boolean>
  /** They are shown the line unless they ignore who writes. */
  whisper(playerId: string, line: Whisper): Promise<Whispered>
  /** Shows everybody a notice. */
  announce(text: string): void
  /** Exactly there; undefined for a player who has no session here. */
  teleport(playerId: string, to: Extract<PlayerOrder, { kind: 'teleport' }>['to']): Promise<PlayerOutcome | undefined>
  /** Who is connected at this moment, and where. */
  listConnected(): readonly ReportedPlayer[]
  /** The commands that are switched off for the player are read again; whether they could be, or the player is not here. */
  readCommands(playerId: string): Promise<boolean>
}
