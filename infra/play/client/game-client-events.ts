import type {
  BlocksChanged,
  BlocksRegistry,
  ChatMessage,
  CommandResult,
  Correction,
  ErrorReply,
  Kick,
  Notice,
  PermissionsChanged,
  Players,
  Pong,
  Welcome,
  ZoneChanged,
} from '../../../realtime/protocol/generated/gatehouse.ts'

/** How a connection ended: the close code, the server's words, and the Kick that came before or what failed on the way. */
export type Closed = { readonly code: number; readonly reason: string; readonly kick?: Kick; readonly error?: Error }

/** What a connection tells of, by the arguments of its listeners. */
export type GameClientEvents = {
  welcome: [Welcome]
  /** After the model of who is near has taken it in. */
  players: [Players]
  /** After the model of the blocks has taken it in. */
  blocksChanged: [BlocksChanged]
  /** After the model of the blocks has taken it in. */
  blocksRegistry: [BlocksRegistry]
  correction: [Correction]
  chat: [ChatMessage]
  commandResult: [CommandResult]
  notice: [Notice]
  permissionsChanged: [PermissionsChanged]
  zoneChanged: [ZoneChanged]
  /** The server refused one message (Error of the protocol). */
  refused: [ErrorReply]
  kick: [Kick]
  pong: [Pong]
  close: [Closed]
}
