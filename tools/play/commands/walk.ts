import { setTimeout as sleep } from 'node:timers/promises'
import type { BlockCache } from '../../../sdk/world/block-cache.ts'
import type { Game } from '../game.ts'
import { nameOfBlock } from '../terminal/block-name.ts'

type Place = { readonly x: number; readonly y: number; readonly z: number }
type Blocks = Pick<BlockCache, 'blockAt'>

/** Half of a player's width, a little less, so that whoever stands beside a block does not stand on it. */
const halfWidth = 0.28
const dropMax = 3
const bodyBlocks = [1, 0, 2] as const

const corners = ({ x, z }: Pick<Place, 'x' | 'z'>) =>
  [x - halfWidth, x + halfWidth].flatMap((atX) =>
    [z - halfWidth, z + halfWidth].map((atZ) => [Math.floor(atX), Math.floor(atZ)] as const),
  )

/**
 * The height of the feet at a place, for who comes there with them at `y`. It is on what is solid, at most one block higher and
 * three lower. It is `y` where blocks are not known.
 */
export const findFooting = (world: Blocks, { x, y, z }: Place): number => {
  const top = Math.floor(y + 0.01)
  for (let height = top; height >= top - dropMax; height -= 1)
    for (const [atX, atZ] of corners({ x, z })) {
      const block = world.blockAt(atX, height, atZ)
      if (block === undefined) return y
      if (block.solid) return height + 1
    }
  return y - dropMax > 0 ? y - dropMax : y
}

/** The name of the block that stops a player who goes that way from a place; undefined where no known block does. */
export const findObstacle = (
  world: Blocks,
  { x, y, z }: Place,
  way: { readonly x: number; readonly z: number },
): string | undefined => {
  const ahead = { x: Math.floor(x + way.x * 0.75), z: Math.floor(z + way.z * 0.75) }
  for (const up of bodyBlocks) {
    const block = world.blockAt(ahead.x, Math.floor(y + 0.01) + up, ahead.z)
    if (block?.solid === true) return nameOfBlock(block)
  }
  return undefined
}

export const compass = {
  north: { x: 0, z: -1 },
  south: { x: 0, z: 1 },
  west: { x: -1, z: 0 },
  east: { x: 1, z: 0 },
} as const

type CompassPoint = keyof typeof compass

export const isCompassPoint = (text: string): text is CompassPoint => Object.hasOwn(compass, text)

/** A pace that every server allows: 4 blocks a second, in ten steps. */
const blocksPerStep = 0.4
const stepMs = 100

/**
 * Walks so many blocks along the ground by small legal moves; resolves to the reason of the server's Correction that ended it early,
 * if one did.
 */
export const walk = async (
  { session, world }: Game,
  way: { readonly towards: CompassPoint; readonly blocks: number; readonly signal: AbortSignal },
): Promise<string | undefined> => {
  const { towards, blocks, signal } = way
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
    // The server answers in order: after its Pong, a Correction of the last step has been heard.
    if (refused === undefined && !signal.aborted) await session.ping().catch(() => undefined)
  } finally {
    stop()
  }
  return refused
}
