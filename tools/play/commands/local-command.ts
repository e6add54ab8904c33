import type { Game } from '../game.ts'
import type { TerminalLook } from '../terminal/terminal-look.ts'

export type LocalContext = {
  readonly game: Game
  readonly show: (text: string) => void
  readonly look: TerminalLook
  /** Aborted when the player leaves. */
  readonly signal: AbortSignal
  /** Leaves the game. */
  readonly quit: () => void
}

/** A command that this client answers itself; the server's command of that name goes first. */
export type LocalCommand = {
  readonly name: string
  readonly usage: string
  readonly description: string
  /** Of no use on a server that has told of no blocks. */
  readonly needsBlocks: boolean
  readonly run: (context: LocalContext, args: readonly string[]) => Promise<void> | void
}
