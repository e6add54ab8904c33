import type { GameSession } from './client/game-session.ts'
import { handleLine } from './handle-line.ts'
import type { LineReader } from './terminal/line-reader.ts'
import type { Narrator } from './terminal/narrate.ts'
import type { TerminalLook } from './terminal/terminal-look.ts'

export type PlayLines = {
  readonly session: GameSession
  readonly reader: LineReader
  readonly narrator: Narrator
  readonly show: (text: string) => void
  readonly look: TerminalLook
  readonly interrupted: AbortSignal
  /** Whether each line waits for the answer to the one before, as those of a script do. */
  readonly inTurn: boolean
}

const createHandler = ({ session, reader, narrator, show, look, inTurn }: PlayLines, signal: AbortSignal) => {
  return async (line: string): Promise<void> => {
    const client = inTurn ? await session.ready() : session.current()
    if (client === undefined) {
      show('! Not connected at the moment.')
      return
    }
    const serverCommands = new Set(narrator.commands().map(({ name }) => name))
    const handled = handleLine({ client, show, look, signal, quit: reader.close }, serverCommands, line)
    if (inTurn) await handled
    else handled.catch((error: unknown) => show(`! ${String(error)}`))
  }
}

/** Acts on lines until there are no more, the player interrupts, or the session ends; then everything asked for has been answered. */
export const playLines = async (asked: PlayLines): Promise<void> => {
  const { session, reader, interrupted } = asked
  const over = new AbortController()
  const stop = (): void => {
    over.abort()
    reader.close()
  }
  interrupted.addEventListener('abort', stop, { once: true })
  void session.ended.then(stop)
  const handle = createHandler(asked, over.signal)
  if (interrupted.aborted || (await session.ready()) === undefined) return
  for (;;) {
    const line = await reader.read()
    if (line === undefined || over.signal.aborted) break
    await handle(line)
  }
  // The server answers in order: after its Pong, what was said before has been heard.
  if (!over.signal.aborted)
    await Promise.race([
      session
        .current()
        ?.ping()
        .catch(() => undefined),
      session.ended,
    ])
  over.abort()
}
