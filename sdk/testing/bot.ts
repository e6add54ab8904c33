import { type ConnectOptions, connect, type Session } from '../connection/connect.ts'
import type { Position } from '../protocol/generated/gatehouse.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { systemTimers } from '../timers.ts'
import { repeat } from './repeat.ts'

/** How one bot connects, and how active it is. */
export type BotOptions = Pick<ConnectOptions, 'WebSocket' | 'world' | 'timers' | 'random' | 'signal'> & {
  /** Moves per second; 20 by default, the rate at which a server reads them. */
  readonly movesPerSecond?: number
  /** Milliseconds between chat lines and between block changes; never by default. */
  readonly chatEveryMs?: number
  readonly buildEveryMs?: number
}

/** A player that walks, builds and chats by itself. */
export type Bot = {
  readonly session: Session
  /** Counts of its actions, and of the server's refusals. */
  readonly counts: Readonly<{ moves: number; corrections: number; lines: number; edits: number; refusals: number }>
  stop(): Promise<void>
}

const blocksPerSecond = 4
/** Distance from the start at which it turns back. */
const roamBlocks = 12
const blocksAhead = 2
/** How far away it breaks blocks: less than a server allows. */
const reachBlocks = 5

/** Starts a bot in the game. It walks around its start, and follows Corrections. */
export const startBot = async (signIn: SignIn, options: BotOptions = {}): Promise<Bot> => {
  const { movesPerSecond = 20, chatEveryMs, buildEveryMs, timers = systemTimers, random = Math.random } = options
  const session = await connect(signIn, { ...options, clientName: 'gatehouse-bot' })
  const counts = { moves: 0, corrections: 0, lines: 0, edits: 0, refusals: 0 }
  let home = session.position()
  let put: { readonly x: number; readonly y: number; readonly z: number } | undefined
  let heading = random() * 2 * Math.PI
  const step = blocksPerSecond / movesPerSecond

  const turnAround = (): void => {
    heading += Math.PI / 2 + random() * Math.PI
  }
  const ahead = ({ x, z }: Position) => ({ x: x + Math.cos(heading) * step, z: z + Math.sin(heading) * step })
  const walk = (): void => {
    const from = session.position()
    const { x, z } = ahead(from)
    if (Math.hypot(x - home.x, z - home.z) > roamBlocks) heading = Math.atan2(home.z - from.z, home.x - from.x) + (random() - 0.5)
    if (session.move({ ...ahead(from), yaw: ((heading * 180) / Math.PI) % 360 }) !== undefined) counts.moves += 1
  }
  const attempt = async (kind: 'lines' | 'edits', work: Promise<{ readonly ok: boolean } | undefined>): Promise<void> => {
    // A connection that is lost before the answer is not a failure of the bot.
    const answer = await work.then((value) => value?.ok ?? true).catch(() => false)
    if (answer) counts[kind] += 1
    else counts.refusals += 1
  }
  const build = (): void => {
    const { x, y, z } = session.position()
    const beside = { x: Math.floor(x) + blocksAhead, y: Math.floor(y), z: Math.floor(z) }
    const type =
      session.welcome().blocks.find(({ index, solid, placeholder }) => index !== 0 && solid && placeholder !== true)?.id ??
      'stone'
    // It breaks the block that it placed, unless it has walked away from it.
    const standing = put !== undefined && Math.hypot(put.x - x, put.y - y, put.z - z) < reachBlocks ? put : undefined
    put = standing === undefined ? beside : undefined
    void attempt('edits', session.edit([standing === undefined ? { ...beside, type } : { ...standing, type: 'air' }]))
  }

  const ends = [
    session.on('correction', ({ reason, position }) => {
      counts.corrections += 1
      if (reason === 'teleport') home = position ?? home
      else turnAround()
    }),
    session.on('resumed', () => {
      home = session.position()
    }),
    repeat(timers, 1_000 / movesPerSecond, walk),
    ...(chatEveryMs === undefined
      ? []
      : [
          repeat(
            timers,
            chatEveryMs,
            () =>
              void attempt(
                'lines',
                session.chat('hello').then(() => undefined),
              ),
          ),
        ]),
    ...(buildEveryMs === undefined ? [] : [repeat(timers, buildEveryMs, build)]),
  ]
  return {
    session,
    counts,
    stop: async () => {
      for (const end of ends) end()
      await session.close()
    },
  }
}
