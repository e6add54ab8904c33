import type { KnownWorld } from '../client/known-world.ts'

type Place = { readonly x: number; readonly y: number; readonly z: number }
type Blocks = Pick<KnownWorld, 'blockAt'>

/** Half of a player's width, a little less, so that whoever stands beside a block does not stand on it. */
const halfWidth = 0.28
const dropMax = 3
const bodyBlocks = [1, 0, 2] as const

const corners = ({ x, z }: Pick<Place, 'x' | 'z'>) =>
  [x - halfWidth, x + halfWidth].flatMap((atX) =>
    [z - halfWidth, z + halfWidth].map((atZ) => [Math.floor(atX), Math.floor(atZ)] as const),
  )

/**
 * The height of the feet at a place, for somebody who comes there with their feet at `y`: on what is solid there, one block higher at the
 * most, and three lower. It is `y` where blocks are not known.
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

/** The id of what stops somebody who goes that way from a place; undefined where nothing known does. */
export const findObstacle = (
  world: Blocks,
  { x, y, z }: Place,
  way: { readonly x: number; readonly z: number },
): string | undefined => {
  const ahead = { x: Math.floor(x + way.x * 0.75), z: Math.floor(z + way.z * 0.75) }
  for (const up of bodyBlocks) {
    const block = world.blockAt(ahead.x, Math.floor(y + 0.01) + up, ahead.z)
    if (block?.solid === true) return block.id
  }
  return undefined
}
