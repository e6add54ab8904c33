import { type Game, type GameEnd, untilLive } from './game.ts'
import { handleLine } from './handle-line.ts'
import type { LineReader } from './terminal/line-reader.ts'
import type { Narrator } from './terminal/narrate.ts'
import type { TerminalLook } from './terminal/terminal-look.ts'

export type PlayLines = {
  readonly game: Game
  /** Resolves when there will be no further connection. */
  readonly ended: Promise<GameEnd>
  readonly reader: LineReader
  readonly narrator: Narrator
  readonly show: (text: string) => void
  readonly look: TerminalLook
  readonly interrupted: AbortSignal
  /** Whether each line waits for the answer to the one before, as those of a script do. */
  readonly inTurn: boolean
}

const createHandler = ({ game, reader, narrator, show, look, inTurn }: PlayLines, signal: AbortSignal) => {
  return async (line: string): Promise<void> => {
    const isLive = inTurn ? await untilLive(game.session) : game.session.state().name === 'live'
    if (!isLive) {
      show('! Not connected at the moment.')
      return
    }
    const serverCommands = new Set(narrator.commands().map(({ name }) => name))
    const handled = handleLine({ game, show, look, signal, quit: reader.close }, serverCommands, line)
    if (inTurn) await handled
    else handled.catch((error: unknown) => show(`! ${String(error)}`))
  }
}

/** Acts on lines until there are no more, the player interrupts, or the session ends; then everything asked for has been answered. */
export const playLines = async (asked: PlayLines): Promise<void> => {
  const { game, ended, reader, interrupted } = asked
  const over = new AbortController()
  const stop = (): void => {
    over.abort()
    reader.close()
  }
  interrupted.addEventListener('abort', stop, { once: true })
  void ended.then(stop)
  const handle = createHandler(asked, over.signal)
  if (interrupted.aborted) return
  for (;;) {
    const line = await reader.read()
    if (line === undefined || over.signal.aborted) break
    await handle(line)
  }
  // The server answers in order: after its Pong, what was said before has been heard.
  if (!over.signal.aborted) await Promise.race([game.session.ping().catch(() => undefined), ended])
  over.abort()
}
