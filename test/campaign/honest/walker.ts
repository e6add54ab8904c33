import { WebSocket } from 'ws'
import { createGameClient, type GameClient } from '../../../infra/play/client/game-client.ts'
import { findFooting } from '../../../infra/play/commands/walk.ts'
import type { Random } from '../random.ts'

/** A player who keeps the rules: walks, and asks how long the server takes to answer. */
export type Walker = {
  readonly email: string
  client(): GameClient | undefined
  /** Frames of others' movement since this was asked last. */
  takeFrames(): number
  /** Answers to Ping since then, in milliseconds. */
  takeLatencies(): readonly number[]
  /** How often the server ended its connection since then. */
  takeLosses(): number
  isIn(): boolean
  /** Makes its moves; call it ten times a second. */
  step(): void
  enter(): Promise<void>
  leave(): Promise<void>
  /** Drops the line without a word, and comes back by the resume token. */
  dropAndResume(): Promise<void>
}

const stepBlocks = 0.3
const homeBlocks = 10
const stepsToPing = 5

export const createWalker = (email: string, url: () => string, signIn: () => Promise<string>, random: Random): Walker => {
  let client: GameClient | undefined
  let frames = 0
  let latencies: number[] = []
  let losses = 0
  let isLeaving = false
  let resumeToken = ''
  let heading = 0
  let steps = 0
  let home = { x: 0, z: 0 }

  const join = async (credential: { readonly token: string } | { readonly resumeToken: string }): Promise<void> => {
    isLeaving = false
    const opened = createGameClient({ url: url(), binary: true, WebSocket, clientName: 'honest', ...credential })
    opened.events.on('players', () => {
      frames += 1
    })
    void opened.closed.then(() => {
      if (client !== opened) return
      client = undefined
      if (!isLeaving) losses += 1
    })
    const welcome = await opened.welcomed
    resumeToken = welcome.resumeToken
    home = { x: welcome.position?.x ?? 0, z: welcome.position?.z ?? 0 }
    client = opened
  }
  const ping = (current: GameClient): void => {
    const askedMs = performance.now()
    current.ping().then(
      () => latencies.push(performance.now() - askedMs),
      () => undefined,
    )
  }

  return {
    email,
    client: () => client,
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
    isIn: () => client !== undefined,
    step: () => {
      const current = client
      if (current === undefined) return
      steps += 1
      if (steps % stepsToPing === 0) ping(current)
      const { x, y, z } = current.position()
      const isAway = Math.hypot(x - home.x, z - home.z) > homeBlocks
      if (isAway) heading = Math.atan2(home.z - z, home.x - x)
      else if (random.chance(0.1)) heading = random.next() * 2 * Math.PI
      const to = { x: x + Math.cos(heading) * stepBlocks, z: z + Math.sin(heading) * stepBlocks }
      current.move({ ...to, y: findFooting(current.world, { ...to, y }) })
    },
    enter: async () => join({ token: await signIn() }),
    leave: async () => {
      isLeaving = true
      await client?.disconnect()
      client = undefined
    },
    dropAndResume: async () => {
      isLeaving = true
      client?.drop()
      client = undefined
      await join({ resumeToken })
    },
  }
}
