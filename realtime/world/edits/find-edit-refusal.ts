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
  /** `type` is that of an edit that a module refused. */
  readonly denied?: { readonly permission: string; readonly at: BlockPos; readonly type?: string }
  /** The position of the first refused edit, from 0. */
  readonly index?: number
}

/** The changes of a player, or the refusal. */
export type ReadEdits = { readonly changes: readonly BlockChange[] } | { readonly refusal: EditRefusal }

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
  if (!isCounted) return { refusal: { reason: 'invalid' } }
  const keys = new Set<string>()
  const changes: BlockChange[] = []
  for (const [at, edit] of edits.entries()) {
    if (!isBlockPos(edit) || keys.has(blockKey(edit))) return { refusal: { reason: 'invalid', index: at } }
    keys.add(blockKey(edit))
  }
  for (const [at, { x, y, z, type }] of edits.entries()) {
    const index = registry.find(type)?.index
    if (index === undefined) return { refusal: { reason: 'unknown-block', index: at } }
    changes.push({ x, y, z, index })
  }
  return { changes }
}

/** Why a player with feet at `feet` cannot make these changes: out of reach, not loaded, or a player is in the way. */
export const findPlaceRefusal = (
  { loaded, registry, playersNear }: EditSurroundings,
  feet: Point,
  changes: readonly BlockChange[],
): EditRefusal | undefined => {
  const far = changes.findIndex((change) => !isWithinReach(feet, change))
  if (far >= 0) return { reason: 'out-of-reach', index: far }
  const before = changes.map(({ x, y, z }) => loaded.blockAt(x, y, z))
  const missing = before.indexOf(undefined)
  if (missing >= 0) return { reason: 'not-loaded', index: missing }
  const solid = changes.filter(({ index }, place) => registry.isSolid(index) && index !== before[place])
  if (solid.length === 0) return undefined
  // In a crowd, most players are outside the box around all blocks.
  const box = boxAround(solid)
  for (const other of playersNear(feet, bodiesWithinBlocks))
    if (touchesBody(other, box)) {
      const block = solid.find((one) => touchesBody(other, { min: one, max: one }))
      if (block !== undefined) return { reason: 'occupied', index: changes.indexOf(block) }
    }
  return undefined
}
