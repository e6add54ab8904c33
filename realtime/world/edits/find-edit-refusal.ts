import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { boxAround, isWithinReach, type Point, reachBlocks, touchesBody } from '../../../shared/rules/movement/reach.ts'
import { type BlockPos, isBlockPos } from '../../../shared/rules/positions.ts'
import type { BlockEdit } from '../../protocol/generated/gatehouse.ts'
import type { LoadedWorld } from '../columns/loaded-world.ts'
import type { BlockChange } from './edit-journal.ts'

/** The maximum number of blocks in one message. */
export const editsMax = 256

/** A body farther from the feet than this cannot touch a block within reach. */
const bodiesWithinBlocks = reachBlocks + 3

/** Why an edit is refused: a reason from `gatehouse.proto`, and the missing permission if there is one. */
export type EditRefusal = {
  readonly reason: string
  readonly denied?: { readonly permission: string; readonly at: BlockPos }
}

/** The changes of a player, or the refusal. */
export type ReadEdits = { readonly changes: readonly BlockChange[] } | { readonly refusal: string }

export type EditSurroundings = {
  readonly loaded: Pick<LoadedWorld, 'blockAt'>
  readonly registry: Pick<BlockRegistry, 'isSolid'>
  /** All players with their feet within this many blocks of `place` along x and z. It may include others. */
  readonly playersNear: (place: Point, blocks: number) => Iterable<Point>
}

const blockKey = ({ x, y, z }: BlockPos): string => `${x} ${y} ${z}`

/** Reads 1 to 256 edits of different blocks in the world. Their types must be known. */
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

/** Why a player with feet at `feet` cannot make these changes: out of reach, not loaded, or a player is in the way. */
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
  // In a crowd, most players are outside the box around all blocks.
  const box = boxAround(solid)
  for (const other of playersNear(feet, bodiesWithinBlocks))
    if (touchesBody(other, box) && solid.some((block) => touchesBody(other, { min: block, max: block }))) return 'occupied'
  return undefined
}
