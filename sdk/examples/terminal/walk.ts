import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../connection/connect.ts'
import { findFooting } from '../../world/ground.ts'
import type { WatchedWorld } from '../../world/watch-world.ts'

/** A player in the game, and the known part of the world around. */
export type Game = { readonly session: Session; readonly world: Pick<WatchedWorld, 'blocks' | 'players'> }

export const compass = {
  north: { x: 0, z: -1 },
  south: { x: 0, z: 1 },
  west: { x: -1, z: 0 },
  east: { x: 1, z: 0 },
} as const
type CompassPoint = keyof typeof compass

/** Resolves to whether the player is in the game, as soon as that is known. */
export const untilLive = async (session: Session): Promise<boolean> => {
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

/** 4 blocks a second, in ten steps: every server allows this pace. */
const blocksPerStep = 0.4
const stepMs = 100

/** Walks along the ground in small moves. Resolves to the reason of the server's Correction if one ended the walk early. */
export const walk = async (
  { session, world }: Game,
  { towards, blocks, signal }: { readonly towards: CompassPoint; readonly blocks: number; readonly signal: AbortSignal },
): Promise<string | undefined> => {
  let refused: string | undefined
  const stop = session.on('correction', ({ reason }) => {
    refused = reason
  })
  try {
    for (let left = blocks; left > 0 && refused === undefined && !signal.aborted; left -= blocksPerStep) {
      const step = Math.min(left, blocksPerStep)
      const { x, y, z } = session.position()
      const to = { x: x + compass[towards].x * step, z: z + compass[towards].z * step }
      session.move({ ...to, y: findFooting(world.blocks, { ...to, y }) })
      await sleep(stepMs)
    }
    // The server answers in order: a Correction of the last step comes before this Pong.
    if (refused === undefined && !signal.aborted) await session.ping().catch(() => undefined)
  } finally {
    stop()
  }
  return refused
}
