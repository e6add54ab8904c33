import type { Announcement } from '../../shared/domain/players/announcement.ts'
import type { ReportedPlayer } from '../../shared/domain/players/online-players.ts'
import type { PlayerOrder, PlayerOutcome } from '../../shared/domain/players/player-orders.ts'
import type { DisplacedHere } from './displacement.ts'
import type { Whisper, Whispered } from './remote-players.ts'

/** What other nodes may do to the players of this node. It takes effect in the next tick. */
export type LocalPlayers = DisplacedHere & {
  /** Whether the player had a session. */
  kick(playerId: string, reason: string): Promise<boolean>
  /** Whether the player is connected and got the message. */
  message(playerId: string, line: Pick<Extract<PlayerOrder, { kind: 'message' }>, 'from' | 'fromId' | 'text'>): Promise<boolean>
  /** Shows a whisper unless the player ignores the sender. */
  whisper(playerId: string, line: Whisper): Promise<Whispered>
  /** Shows a notice to all players, or to those in its world or zone. */
  announce(announcement: Announcement): void
  /** Moves the player exactly there. Undefined if the player has no session here. */
  teleport(playerId: string, to: Extract<PlayerOrder, { kind: 'teleport' }>['to']): Promise<PlayerOutcome | undefined>
  /** The connected players and their positions. */
  listConnected(): readonly ReportedPlayer[]
  /** Reads the switched-off commands of the player again. False if that failed. */
  readCommands(playerId: string): Promise<boolean>
}
