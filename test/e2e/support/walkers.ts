import type { Game } from '../../../sdk/examples/terminal/commands.ts'
import { waitFor } from '../../support/time/wait-for.ts'

/** Players who walk and chat without end. */
export type Walkers = {
  /** The longest time without a movement of others for any player, in milliseconds, since the last call. */
  longestSilenceMs(): number
  /** The smallest number of movements of others that any player received since the last call. */
  stepsSeen(): number
  /** Reasons of refused moves, and received lines of chat, since the last call. */
  corrections(): readonly string[]
  linesHeard(): number
  /** True if no player has ever lost the connection. */
  areConnected(): boolean
  stop(): void
}

const stepMs = 100
const stepBlocks = 0.3
/** The number of steps in each direction; each tenth step sends a line of chat. */
const turn = 20

/** Whether the client has the player's column and those around it: the server refuses steps without them. */
const hasGround = ({ session, world }: Game): boolean => {
  const { x, y, z } = session.position()
  return [-16, 0, 16].every((dx) => [-16, 0, 16].every((dz) => world.blocks.blockAt(x + dx, y, z + dz) !== undefined))
}

/** Makes `players`, who see each other, walk to and fro from their start, ten steps a second, and chat once a second. */
export const startWalkers = async (players: readonly Game[]): Promise<Walkers> => {
  await waitFor(() => players.every(hasGround))
  let longest = 0
  let lines = 0
  let refusals: string[] = []
  let losses = 0
  const heard = players.map(() => 0)
  const ends = players.flatMap(({ session }, player) => {
    let heardMs = performance.now()
    return [
      session.on('players', () => {
        const nowMs = performance.now()
        longest = Math.max(longest, nowMs - heardMs)
        heardMs = nowMs
        heard[player] = (heard[player] ?? 0) + 1
      }),
      session.on('correction', ({ reason }) => refusals.push(reason)),
      session.on('chat', () => {
        lines += 1
      }),
      session.on('state', () => {
        losses += 1
      }),
    ]
  })
  const starts = players.map(({ session }) => session.position())
  let step = 0
  const timer = setInterval(() => {
    step += 1
    const phase = step % (2 * turn)
    const away = (phase < turn ? phase : 2 * turn - phase) * stepBlocks
    for (const [i, { session }] of players.entries()) {
      const { x, y, z } = starts[i] ?? session.position()
      session.move({ x: x + away, y, z })
      if ((step + i) % 10 === 0) session.send({ $case: 'chat', value: { text: `step ${step} of player ${i}` } })
    }
  }, stepMs)
  return {
    longestSilenceMs: () => {
      const result = longest
      longest = 0
      return Math.round(result)
    },
    stepsSeen: () => {
      const result = Math.min(...heard)
      heard.fill(0)
      return result
    },
    corrections: () => {
      const result = refusals
      refusals = []
      return result
    },
    linesHeard: () => {
      const result = lines
      lines = 0
      return result
    },
    areConnected: () => losses === 0,
    stop: () => {
      clearInterval(timer)
      for (const end of ends) end()
    },
  }
}
