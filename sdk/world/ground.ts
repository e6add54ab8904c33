import type { BlockCache } from './block-cache.ts'
import { worldHeight } from './rules.ts'

type Blocks = Pick<BlockCache, 'blockAt'>

/** Slightly less than half the width of a player, so that a player next to a block does not stand on it. */
const halfWidth = 0.28
const dropMax = 3
/** Blocks that a standing player takes up. */
const bodyBlocks = 2

const under = (x: number, z: number): (readonly [x: number, z: number])[] =>
  [x - halfWidth, x + halfWidth].flatMap((atX) =>
    [z - halfWidth, z + halfWidth].map((atZ) => [Math.floor(atX), Math.floor(atZ)] as const),
  )

/** The height of the feet at x and z for a player who arrives at `y`: on solid ground, at most one block up and three down. */
export const findFooting = (
  world: Blocks,
  { x, y, z }: { readonly x: number; readonly y: number; readonly z: number },
): number => {
  const top = Math.floor(y + 0.01)
  for (let height = top; height >= top - dropMax; height -= 1)
    for (const [atX, atZ] of under(x, z)) {
      const block = world.blockAt(atX, height, atZ)
      if (block === undefined) return y
      if (block.solid) return height + 1
    }
  return y - dropMax > 0 ? y - dropMax : y
}

/**
 * The highest place at x and z, at `from` or below, where a player can stand: solid ground with two free blocks above it. Returns
 * the height of the feet. Undefined if there is none, or if a column there is unknown.
 */
export const findGround = (world: Blocks, x: number, z: number, from = worldHeight): number | undefined => {
  const columns = under(x, z)
  let free = 0
  for (let height = Math.min(Math.floor(from), worldHeight) + bodyBlocks - 1; height >= 0; height -= 1) {
    const blocks = columns.map(([atX, atZ]) => world.blockAt(atX, height, atZ))
    if (blocks.includes(undefined)) return undefined
    if (!blocks.some((block) => block?.solid)) free += 1
    else if (free >= bodyBlocks && height < from) return height + 1
    else free = 0
  }
  return undefined
}
