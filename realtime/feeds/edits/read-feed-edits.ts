import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { Zone } from '../../../shared/domain/zones/zone.ts'
import { type ChunkPos, chunkCoordinate, chunkKey, chunkPosOf, isBlockPos } from '../../../shared/rules/positions.ts'
import type { BlockChange } from '../../world/edits/edit-journal.ts'
import type { FeedBlock, Rejected } from '../feed-messages.ts'

/** The changes of an edit, and its rejected blocks. `index` is the position in the edit. */
export type ReadFeedEdits = { readonly changes: readonly BlockChange[]; readonly rejected: readonly Rejected[] }

/** Identifies a block within an edit. */
const keyOf = ({ x, y, z }: FeedBlock): string => `${x} ${y} ${z}`

/** The bounds are checked first: keys of columns are unique only within the world. */
const isIn = (columns: ReadonlySet<number>, { yMin, yMax }: Zone, { x, y, z }: FeedBlock): boolean =>
  isBlockPos({ x, y, z }) && y >= yMin && y <= yMax && columns.has(chunkKey(chunkCoordinate(x), chunkCoordinate(z)))

/** Checks each block. Rejects `outside-zone`, `unknown-block`, and `duplicate` for a block that the edit names again. */
export const readFeedEdits = (edits: readonly FeedBlock[], zone: Zone, registry: Pick<BlockRegistry, 'find'>): ReadFeedEdits => {
  const columns = new Set(zone.chunks.map(({ cx, cz }) => chunkKey(cx, cz)))
  const named = new Set<string>()
  const changes: BlockChange[] = []
  const rejected: Rejected[] = []
  for (const [index, edit] of edits.entries()) {
    const type = registry.find(edit.type)
    const key = keyOf(edit)
    if (!isIn(columns, zone, edit)) rejected.push({ index, reason: 'outside-zone' })
    else if (type === undefined) rejected.push({ index, reason: 'unknown-block' })
    else if (named.has(key)) rejected.push({ index, reason: 'duplicate' })
    else {
      named.add(key)
      changes.push({ x: edit.x, y: edit.y, z: edit.z, index: type.index })
    }
  }
  return { changes, rejected }
}

/** The columns of the changes, without duplicates. */
export const columnsTouched = (changes: readonly Pick<BlockChange, 'x' | 'z'>[]): readonly ChunkPos[] =>
  [...new Set(changes.map(({ x, z }) => chunkKey(chunkCoordinate(x), chunkCoordinate(z))))].map(chunkPosOf)
