import { WebSocket } from 'ws'
import { connect, type Session } from '../../../sdk/connection/connect.ts'
import { findFooting } from '../../../sdk/world/ground.ts'
import { type WatchedWorld, watchWorld } from '../../../sdk/world/watch-world.ts'
import { holdToken } from '../../../test/support/sdk/hold-token.ts'
import type { Random } from '../random.ts'

/** Resolves to whether the player is in the game, as soon as that is known. */
const untilLive = async (session: Session): Promise<boolean> => {
  const { name } = session.state()
  if (name === 'live' || name === 'ended') return name === 'live'
  return new Promise((resolve) => {
    const end = session.on('state', (state) => {
      if (state.name !== 'live' && state.name !== 'ended') return
      end()
      resolve(state.name === 'live')
    })
  })
}

/** A player who keeps the rules: walks, and measures the server's latency. */
export type Walker = {
  readonly email: string
  /** Undefined while it is not in the game. */
  session(): Session | undefined
  /** The number of frames with movements of others since the last call. */
  takeFrames(): number
  /** Latencies of Ping since the last call, in milliseconds. */
  takeLatencies(): readonly number[]
  /** How often the server ended its connection since the last call. */
  takeLosses(): number
  isIn(): boolean
  /** Makes its moves; call it ten times a second. */
  step(): void
  enter(): Promise<void>
  leave(): Promise<void>
  /** Drops the connection without a Close frame; resolves when it has resumed. */
  dropAndResume(): Promise<void>
}

const stepBlocks = 0.3
const homeBlocks = 10
const stepsToPing = 5

export const createWalker = (email: string, url: () => string, signIn: () => Promise<string>, random: Random): Walker => {
  let session: Session | undefined
  let world: WatchedWorld | undefined
  let frames = 0
  let latencies: number[] = []
  let losses = 0
  let isLeaving = false
  let heading = 0
  let steps = 0
  let home = { x: 0, z: 0 }

  const join = async (): Promise<void> => {
    const token = await signIn()
    const renewing = { ...holdToken(url(), token), renew: signIn }
    const opened = await connect(renewing, { WebSocket, clientName: 'honest', random: () => random.next() })
    session = opened
    world = watchWorld(opened)
    home = opened.position()
    opened.on('players', () => {
      frames += 1
    })
    let wasIn = true
    opened.on('state', ({ name }) => {
      if (name !== 'live' && wasIn && !isLeaving) losses += 1
      wasIn = name === 'live'
    })
  }
  const isIn = (): boolean => session?.state().name === 'live'
  const ping = (current: Session): void => {
    const askedMs = performance.now()
    current.ping().then(
      () => latencies.push(performance.now() - askedMs),
      () => undefined,
    )
  }

  return {
    email,
    session: () => (isIn() ? session : undefined),
    takeFrames: () => {
      const result = frames
      frames = 0
      return result
    },
    takeLatencies: () => {
      const result = latencies
      latencies = []
      return result
    },
    takeLosses: () => {
      const result = losses
      losses = 0
      return result
    },
    isIn,
    step: () => {
      const current = session
      if (current === undefined || world === undefined || !isIn()) return
      steps += 1
      if (steps % stepsToPing === 0) ping(current)
      const { x, y, z } = current.position()
      const isAway = Math.hypot(x - home.x, z - home.z) > homeBlocks
      if (isAway) heading = Math.atan2(home.z - z, home.x - x)
      else if (random.chance(0.1)) heading = random.next() * 2 * Math.PI
      const to = { x: x + Math.cos(heading) * stepBlocks, z: z + Math.sin(heading) * stepBlocks }
      current.move({ ...to, y: findFooting(world.blocks, { ...to, y }) })
    },
    enter: async () => {
      isLeaving = false
      const isBack = session !== undefined && (await untilLive(session))
      if (!isBack) await join()
    },
    leave: async () => {
      isLeaving = true
      await session?.close()
    },
    dropAndResume: async () => {
      isLeaving = true
      session?.drop()
      if (session !== undefined) await untilLive(session)
      isLeaving = false
    },
  }
}
