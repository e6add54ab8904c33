import { setTimeout as sleep } from 'node:timers/promises'
import type { GameClient } from '../client/game-client.ts'
import { findFooting } from './footing.ts'

export const compass = {
  north: { x: 0, z: -1 },
  south: { x: 0, z: 1 },
  west: { x: -1, z: 0 },
  east: { x: 1, z: 0 },
} as const

export type CompassPoint = keyof typeof compass

export const isCompassPoint = (text: string): text is CompassPoint => Object.hasOwn(compass, text)

/** A pace that every server allows: 4 blocks a second, in ten steps. */
const blocksPerStep = 0.4
const stepMs = 100

/** Walks so many blocks along the ground by small legal moves; resolves to the reason of the server's Correction that ended it early, if one did. */
export const walk = async (
  client: GameClient,
  way: { readonly towards: CompassPoint; readonly blocks: number; readonly signal: AbortSignal },
): Promise<string | undefined> => {
  const { towards, blocks, signal } = way
  let refused: string | undefined
  const stop = ({ reason }: { readonly reason: string }) => {
    refused = reason
  }
  client.events.on('correction', stop)
  try {
    for (let left = blocks; left > 0 && refused === undefined && !signal.aborted; left -= blocksPerStep) {
      const step = Math.min(left, blocksPerStep)
      const { x, y, z } = client.position()
      const to = { x: x + compass[towards].x * step, z: z + compass[towards].z * step }
      client.move({ ...to, y: findFooting(client.world, { ...to, y }) })
      await sleep(stepMs)
    }
    // The server answers in order: after its Pong, a Correction of the last step has been heard.
    if (refused === undefined && !signal.aborted) await client.ping().catch(() => undefined)
  } finally {
    client.events.off('correction', stop)
  }
  return refused
}
