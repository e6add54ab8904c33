import { signal } from '@preact/signals'
import { connect, type Session } from '../../sdk/client.ts'
import { followWorld, type LiveWorld } from '../map/scene/live-world.ts'
import { call } from '../state/api.ts'
import { session as signedIn } from '../state/session.ts'
import { words } from '../words.ts'
import { hideSecrets, type KnownCommand } from './read-command.ts'

/** One line of what was said, asked and answered. */
type Line = {
  readonly id: number
  readonly kind: 'chat' | 'asked' | 'answer' | 'fault' | 'notice'
  /** Of chat: the name of the player who said it. */
  readonly from?: string
  readonly text: string
  /** ISO 8601. */
  readonly at: string
}

const linesMax = 500
let lastId = 0

/** What came in, oldest first; it stays while other pages are looked at. */
export const lines = signal<readonly Line[]>([])
/** The session in the game, while there is one; `entering` until it is there. */
export const game = signal<Session | 'entering' | undefined>(undefined)
/** What this person may run, which may change while they are in the game. */
export const commands = signal<readonly KnownCommand[]>([])
/** What the connection does, for people; empty while it is well. */
export const trouble = signal('')

const note = (kind: Line['kind'], text: string, from?: string, at = new Date().toISOString()): void => {
  lastId += 1
  lines.value = [...lines.peek(), { id: lastId, kind, text, at, ...(from !== undefined && { from }) }].slice(-linesMax)
}

/** The time of the last line of chat, by the clock of the server. */
let lastChatAt = ''

/** Follows chat without a body in the world, through the feed of the first world that a node runs. The session of a player has its own lines. */
export const watchChat = (): { readonly live: Promise<LiveWorld | undefined>; readonly close: () => void } => {
  const over = new AbortController()
  const isInGame = (): boolean => typeof game.peek() === 'object'
  const follow = async (): Promise<LiveWorld | undefined> => {
    const { items } = (await call('GET /api/realtime/nodes', { signal: over.signal })).body
    const world = items[0]?.world
    if (world === undefined || over.signal.aborted) return undefined
    return followWorld({
      world,
      area: { minX: 0, minZ: 0, maxX: 0, maxZ: 0 },
      onTiles: () => undefined,
      onZonesLost: () => undefined,
      onChat: ({ lines: said, reset }) => {
        const isShown = (text: string, from: string) => lines.peek().some((line) => line.text === text && line.from === from)
        // The last lines come again after a cut, and after a visit to the game, whose chat bears no time of the server.
        const news = reset ? said.filter(({ at, from, text }) => at > lastChatAt && !isShown(text, from)) : said
        lastChatAt = said.at(-1)?.at ?? lastChatAt
        if (!isInGame()) for (const { from, text, at } of news) note('chat', text, from, at)
      },
      onMoved: (players, way) => {
        if (!isInGame()) for (const { displayName } of players) note('notice', words.live[way](displayName))
      },
    })
  }
  const live = follow().catch(() => undefined)
  return {
    live,
    close: () => {
      over.abort()
      void live.then((opened) => opened?.close())
    },
  }
}

const forget = (): void => {
  trouble.value = ''
  game.value = undefined
  commands.value = []
}

const watch = (session: Session): void => {
  session.on('chat', ({ from, text }) => note('chat', text, from))
  session.on('notice', ({ text }) => note('notice', text))
  session.on('permissionsChanged', (changed) => {
    commands.value = changed.commands
  })
  session.on('resumed', (welcome) => {
    commands.value = welcome.commands
  })
  session.on('state', (state) => {
    if (game.peek() !== session) return
    if (state.name !== 'ended') {
      trouble.value = state.name === 'live' ? '' : words.live.comingBack
      return
    }
    forget()
    note('fault', words.live.ended(state.text))
  })
}

/** Comes into the game as whoever is signed in; throws what `connect` throws. */
export const enterGame = async (): Promise<void> => {
  const state = signedIn.peek()
  if (!('me' in state) || game.peek() !== undefined) return
  game.value = 'entering'
  try {
    const session = await connect(state.me, { clientName: 'console' })
    // Whoever signed out meanwhile does not come in.
    if (game.peek() !== 'entering') return void (await session.close())
    watch(session)
    game.value = session
    commands.value = session.welcome().commands
    note('notice', words.live.entered(session.welcome().displayName, session.welcome().world?.name ?? ''))
  } catch (error) {
    forget()
    throw error
  }
}

export const leaveGame = async (): Promise<void> => {
  const session = game.peek()
  forget()
  if (session === undefined || session === 'entering') return
  note('notice', words.live.youLeft)
  await session.close()
}

// Who signs out is not in the game any more, and what was said is nobody else's.
signedIn.subscribe((state) => {
  if (state.kind !== 'out') return
  void leaveGame()
  lastChatAt = ''
  lines.value = []
})

/** Says a line, or runs it where it begins with a slash; what comes of it is noted. False where it was not taken. */
export const sendLine = async (text: string): Promise<boolean> => {
  const session = game.peek()
  if (session === undefined || session === 'entering') return false
  try {
    if (!text.startsWith('/')) {
      await session.chat(text)
      return true
    }
    note('asked', hideSecrets(text, commands.peek()))
    const { ok, text: answer } = await session.command(text)
    note(ok ? 'answer' : 'fault', answer)
    return true
  } catch (error) {
    note('fault', error instanceof Error ? error.message : String(error))
    return false
  }
}
