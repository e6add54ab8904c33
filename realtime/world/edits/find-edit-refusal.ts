import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { boxAround, isWithinReach, type Point, reachBlocks, touchesBody } from '../../../shared/rules/movement/reach.ts'
import { type BlockPos, isBlockPos } from '../../../shared/rules/positions.ts'
import type { BlockEdit } from '../../protocol/generated/gatehouse.ts'
import type { LoadedWorld } from '../columns/loaded-world.ts'
import type { BlockChange } from './edit-journal.ts'

/** Blocks that one message may change. */
export const editsMax = 256

/** Bodies further from the feet than this touch no block within reach. */
const bodiesWithinBlocks = reachBlocks + 3

/** Why an edit is refused: a reason that `gatehouse.proto` lists, and what was asked for where it is somebody's rights. */
export type EditRefusal = {
  readonly reason: string
  readonly denied?: { readonly permission: string; readonly at: BlockPos }
}

/** What a player wants to change, or why that cannot be. */
export type ReadEdits = { readonly changes: readonly BlockChange[] } | { readonly refusal: string }

export type EditSurroundings = {
  readonly loaded: Pick<LoadedWorld, 'blockAt'>
  readonly registry: Pick<BlockRegistry, 'isSolid'>
  /** At least all players with their feet within so many blocks of `place` along x and z. */
  readonly playersNear: (place: Point, blocks: number) => Iterable<Point>
}

const blockKey = ({ x, y, z }: BlockPos): string => `${x} ${y} ${z}`

/** Reads 1 to 256 edits of different blocks of the world, whose types players may place. */
export const readEdits = (edits: readonly BlockEdit[], registry: Pick<BlockRegistry, 'find'>): ReadEdits => {
  const isCounted = edits.length > 0 && edits.length <= editsMax
  if (!isCounted || !edits.every(isBlockPos)) return { refusal: 'invalid' }
  if (new Set(edits.map(blockKey)).size < edits.length) return { refusal: 'invalid' }
  const changes: BlockChange[] = []
  for (const { x, y, z, type } of edits) {
    const index = registry.find(type)?.index
    if (index === undefined) return { refusal: 'unknown-block' }
    changes.push({ x, y, z, index })
  }
  return { changes }
}

/** Why a player whose feet are at `feet` cannot make these changes: too far away, not loaded, or somebody stands there. */
export const findPlaceRefusal = (
  { loaded, registry, playersNear }: EditSurroundings,
  feet: Point,
  changes: readonly BlockChange[],
): 'out-of-reach' | 'not-loaded' | 'occupied' | undefined => {
  if (!changes.every((change) => isWithinReach(feet, change))) return 'out-of-reach'
  const before = changes.map(({ x, y, z }) => loaded.blockAt(x, y, z))
  if (before.includes(undefined)) return 'not-loaded'
  const solid = changes.filter(({ index }, place) => registry.isSolid(index) && index !== before[place])
  if (solid.length === 0) return undefined
  // In a crowd nearly everybody stands beside the box around them all.
  const box = boxAround(solid)
  for (const other of playersNear(feet, bodiesWithinBlocks))
    if (touchesBody(other, box) && solid.some((block) => touchesBody(other, { min: block, max: block }))) return 'occupied'
  return undefined
}
