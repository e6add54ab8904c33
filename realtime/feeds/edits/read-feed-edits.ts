import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { Zone } from '../../../shared/domain/zones/zone.ts'
import { type ChunkPos, chunkCoordinate, chunkKey, chunkPosOf, isBlockPos } from '../../../shared/rules/positions.ts'
import type { BlockChange } from '../../world/edits/edit-journal.ts'
import type { FeedBlock, Rejected } from '../feed-messages.ts'

/** What an edit would change, and which of its blocks cannot be; `index` is their place in the edit. */
export type ReadFeedEdits = { readonly changes: readonly BlockChange[]; readonly rejected: readonly Rejected[] }

/** A block of an edit that keeps its place in it. */
const keyOf = ({ x, y, z }: FeedBlock): string => `${x} ${y} ${z}`

/** Keys of columns are distinct within the world alone. */
const isIn = (columns: ReadonlySet<number>, { yMin, yMax }: Zone, { x, y, z }: FeedBlock): boolean =>
  isBlockPos({ x, y, z }) && y >= yMin && y <= yMax && columns.has(chunkKey(chunkCoordinate(x), chunkCoordinate(z)))

/** Looks at each block: `outside-zone`, `unknown-block`, or `duplicate` for one that the edit has named before. */
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

/** The columns that changes touch, each once. */
export const columnsTouched = (changes: readonly Pick<BlockChange, 'x' | 'z'>[]): readonly ChunkPos[] =>
  [...new Set(changes.map(({ x, z }) => chunkKey(chunkCoordinate(x), chunkCoordinate(z))))].map(chunkPosOf)
