import type { BlockType } from '../protocol/generated/gatehouse.ts'
import type { BlockCache } from './block-cache.ts'
import { air, type BlockPos, eyeHeight, type Point, reachBlocks } from './rules.ts'

/** The first block that a ray hits. */
export type RayHit = {
  readonly block: BlockPos
  readonly kind: BlockType
  /** The block in front of the hit side, where a new block would go. If the ray starts inside a block, that block. */
  readonly before: BlockPos
}

/** The direction of a look: yaw 0 along +x, 90 along +z; pitch up. Its length is 1. */
export const directionOf = ({ yaw, pitch }: { readonly yaw: number; readonly pitch: number }): Point => {
  const [across, up] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180]
  return { x: Math.cos(across) * Math.cos(up), y: Math.sin(up), z: Math.sin(across) * Math.cos(up) }
}

type Axis = { block: number; readonly step: number; nextAt: number; readonly perBlock: number }

const createAxis = (from: number, along: number): Axis => {
  const block = Math.floor(from)
  const step = Math.sign(along)
  const perBlock = along === 0 ? Number.POSITIVE_INFINITY : Math.abs(1 / along)
  const first = along > 0 ? block + 1 - from : from - block
  return { block, step, nextAt: along === 0 ? Number.POSITIVE_INFINITY : first * perBlock, perBlock }
}

/**
 * The first block that is not air from a point in a direction, at most `lengthMax` blocks away. Undefined when there is none,
 * or when the way leads into an unknown column. Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing" (1987).
 */
export const walkRay = (
  world: Pick<BlockCache, 'blockAt'>,
  from: Point,
  direction: Point,
  lengthMax: number,
): RayHit | undefined => {
  const [x, y, z] = [createAxis(from.x, direction.x), createAxis(from.y, direction.y), createAxis(from.z, direction.z)]
  const length = Math.hypot(direction.x, direction.y, direction.z)
  let before = { x: x.block, y: y.block, z: z.block }
  for (let at = 0; at * length <= lengthMax; ) {
    const block = { x: x.block, y: y.block, z: z.block }
    const kind = world.blockAt(block.x, block.y, block.z)
    if (kind === undefined) return undefined
    if (kind.index !== air) return { block, kind, before }
    before = block
    const axis = x.nextAt <= y.nextAt && x.nextAt <= z.nextAt ? x : y.nextAt <= z.nextAt ? y : z
    at = axis.nextAt
    axis.block += axis.step
    axis.nextAt += axis.perBlock
  }
  return undefined
}

/** The block that a player looks at and reaches, by the place of the feet and the look. */
export const findTarget = (
  world: Pick<BlockCache, 'blockAt'>,
  place: Point & { readonly yaw: number; readonly pitch: number },
): RayHit | undefined => walkRay(world, { x: place.x, y: place.y + eyeHeight, z: place.z }, directionOf(place), reachBlocks)
