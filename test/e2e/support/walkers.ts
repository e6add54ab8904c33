import type { RealtimeClient } from '../../support/realtime/realtime-client.ts'
import { waitFor } from '../../support/time/wait-for.ts'

type Player = RealtimeClient & { readonly welcome: Record<string, unknown> }

/** Players who walk and talk without end. */
export type Walkers = {
  /** The longest time in which one of them heard of no other's movement, in milliseconds, since the last time that this was asked. */
  longestSilenceMs(): number
  /** Since the last time that this was asked: why moves were not allowed, and lines of chat that arrived. */
  corrections(): readonly unknown[]
  linesHeard(): number
  areConnected(): boolean
  stop(): void
}

const stepMs = 100
const stepBlocks = 0.3
/** Turns of this many steps there and back; each tenth step is a line of chat. */
const turn = 20

const positionOf = ({ welcome }: Player) => {
  const { x = 0, y = 0, z = 0 } = welcome.position as { x?: number; y?: number; z?: number }
  return { x, y, z }
}

/** Whether the client has the column that its player came into and those around it: the server allows no step to where it has none. */
const hasGround = (player: Player): boolean => {
  const { x, z } = positionOf(player)
  const isNear = (column: unknown, blocks: number): boolean => Math.abs(Number(column ?? 0) - Math.floor(blocks / 16)) <= 1
  const near = player.received.filter(({ case: kind, value }) => kind === 'chunk' && isNear(value.cx, x) && isNear(value.cz, z))
  return near.length >= 9
}

/** Lets `players`, who are in sight of each other, walk to and fro from where they came in, ten steps a second, and say something each second. */
export const startWalkers = async (players: readonly Player[]): Promise<Walkers> => {
  await waitFor(() => players.every(hasGround), 30_000)
  let longest = 0
  const ends = players.map((player) => {
    let heardMs = performance.now()
    const onMessage = (): void => {
      const nowMs = performance.now()
      longest = Math.max(longest, nowMs - heardMs)
      heardMs = nowMs
    }
    player.socket.on('message', onMessage)
    return () => player.socket.off('message', onMessage)
  })
  const starts = players.map(positionOf)
  let step = 0
  const timer = setInterval(() => {
    step += 1
    const phase = step % (2 * turn)
    const away = (phase < turn ? phase : 2 * turn - phase) * stepBlocks
    for (const [i, player] of players.entries()) {
      const { x, y, z } = starts[i] ?? { x: 0, y: 64, z: 0 }
      if (!player.isOpen()) continue
      player.move(x + away, z, step, y)
      if ((step + i) % 10 === 0) player.send({ $case: 'chat', value: { text: `step ${step} of player ${i}` } })
    }
  }, stepMs)
  /** Of each kind, how much of what a player received was looked at. */
  const looked = new Map<string, number[]>()
  const takeNew = (kind: string) => {
    const from = looked.get(kind) ?? []
    looked.set(
      kind,
      players.map(({ received }) => received.length),
    )
    return players.flatMap(({ received }, i) => received.slice(from[i] ?? 0).filter((message) => message.case === kind))
  }
  return {
    longestSilenceMs: () => {
      const result = longest
      longest = 0
      return Math.round(result)
    },
    corrections: () => takeNew('correction').map(({ value }) => value.reason),
    linesHeard: () => takeNew('chatMessage').length,
    areConnected: () => players.every((player) => player.isOpen()),
    stop: () => {
      clearInterval(timer)
      for (const end of ends) end()
    },
  }
}
