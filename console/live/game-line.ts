import { signal } from '@preact/signals'
import { connect, type Session } from '../../sdk/client.ts'
import { followWorld, type LiveTrouble, type LiveWorld } from '../map/scene/live-world.ts'
import { call } from '../state/api.ts'
import { session as signedIn } from '../state/session.ts'
import { words } from '../words.ts'
import { hideSecrets, type KnownCommand } from './read-command.ts'

/** A line of the log: chat, a command, or an answer. */
type Line = {
  readonly id: number
  readonly kind: 'chat' | 'asked' | 'answer' | 'fault' | 'notice'
  /** The author of a chat line. */
  readonly from?: string
  readonly text: string
  /** ISO 8601. */
  readonly at: string
  /** True for a line or command of this user, and for its answer. */
  readonly isOwn?: boolean
}

const linesMax = 500
let lastId = 0

/** Received lines, oldest first. They stay while the user visits other pages. */
export const lines = signal<readonly Line[]>([])
/** The game session; `entering` while it connects. */
export const game = signal<Session | 'entering' | undefined>(undefined)
/** The commands that the user can run. They can change during the session. */
export const commands = signal<readonly KnownCommand[]>([])
/** The state of the connection as a text; empty while it is healthy. */
export const trouble = signal('')

const note = (kind: Line['kind'], text: string, from?: string, at = new Date().toISOString()): void => {
  lastId += 1
  const session = game.peek()
  const isMine = from !== undefined && typeof session === 'object' && from === session.welcome().displayName
  const isOwn = isMine || kind === 'asked' || kind === 'answer' || kind === 'fault'
  lines.value = [...lines.peek(), { id: lastId, kind, text, at, isOwn, ...(from !== undefined && { from }) }].slice(-linesMax)
}

/** The server time of the last chat line. */
let lastChatAt = ''

/** The state of the chat feed: live, or why it is not. */
export type FeedState = { readonly kind: 'live' } | LiveTrouble | { readonly kind: 'failed'; readonly error: unknown }

/**
 * Follows chat through the feed of the first running world, without joining it. A player session has its own lines. Calls `changed` with
 * each state of the feed. Returns a function that ends it.
 */
export const watchChat = (changed: (state: FeedState) => void): (() => void) => {
  const over = new AbortController()
  const isInGame = (): boolean => typeof game.peek() === 'object'
  const follow = async (): Promise<LiveWorld | undefined> => {
    const { items } = (await call('GET /api/realtime/nodes', { signal: over.signal })).body
    const world = items[0]?.world
    if (over.signal.aborted) return undefined
    if (world === undefined) {
      changed({ kind: 'stopped' })
      return undefined
    }
    return followWorld({
      world,
      area: { minX: 0, minZ: 0, maxX: 0, maxZ: 0 },
      onTiles: () => undefined,
      onZonesLost: () => undefined,
      onChat: ({ lines: said, reset }) => {
        const isShown = (text: string, from: string) => lines.peek().some((line) => line.text === text && line.from === from)
        // The feed repeats lines after a reconnect. Lines from a game session have no server time.
        const news = reset ? said.filter(({ at, from, text }) => at > lastChatAt && !isShown(text, from)) : said
        lastChatAt = said.at(-1)?.at ?? lastChatAt
        if (!isInGame()) for (const { from, text, at } of news) note('chat', text, from, at)
      },
      onMoved: (players, way) => {
        if (!isInGame()) for (const { displayName } of players) note('notice', words.live[way](displayName))
      },
    })
  }
  const live = follow().catch((error: unknown) => {
    if (!over.signal.aborted) changed({ kind: 'failed', error })
    return undefined
  })
  void live.then((opened) => {
    if (!over.signal.aborted) opened?.trouble.subscribe((trouble) => !over.signal.aborted && changed(trouble ?? { kind: 'live' }))
  })
  return () => {
    over.abort()
    void live.then((opened) => opened?.close())
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

/** Joins the game as the current user. Throws what `connect` throws. */
export const enterGame = async (): Promise<void> => {
  const state = signedIn.peek()
  if (!('me' in state) || game.peek() !== undefined) return
  game.value = 'entering'
  try {
    const session = await connect(state.me, { clientName: 'console' })
    // The user signed out while the session was connecting.
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

// Signing out leaves the game and clears the log.
signedIn.subscribe((state) => {
  if (state.kind !== 'out') return
  void leaveGame()
  lastChatAt = ''
  lines.value = []
})

/** Sends a chat line, or runs a command that begins with a slash, and logs the outcome. Returns false if it was not sent. */
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
