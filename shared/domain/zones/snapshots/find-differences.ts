import { AppError } from '../../../kernel/errors.ts'
import type { Turns } from '../../../kernel/turns.ts'
import { air, type Chunk, entryAt, readSection, type Section } from '../../../rules/chunks/chunk.ts'
import { type BlockPos, type ChunkPos, chunkBlocks, chunkKey } from '../../../rules/positions.ts'
import type { BlockRegistry } from '../../worlds/chunks/block-registry.ts'
import { decodeChunk } from '../../worlds/chunks/decode-chunk.ts'
import type { ChunkRecord, ChunkStore, WorldRef } from '../../worlds/store/chunk-store.ts'
import type { Zone } from '../zone.ts'
import { heightsOfBoth, type StoredSnapshot } from './snapshot.ts'
import type { ZoneSnapshots } from './zone-snapshots.ts'

/** A block in world coordinates, and its wanted index. */
type Difference = BlockPos & { readonly index: number }

const indexAt = (section: Section | undefined, entry: number): number =>
  section === undefined ? air : readSection(section, entry)

/** Whether both are certainly equal. Sections with palettes in a different order are compared block by block. */
const isSame = (one: Section | undefined, other: Section | undefined): boolean => {
  if (one === undefined || other === undefined) return one === other
  if (one.bits !== other.bits || one.palette.length !== other.palette.length) return false
  return one.palette.every((index, place) => index === other.palette[place]) && Buffer.compare(one.data, other.data) === 0
}

/** The changes that make `current` equal to `target` at these heights, both included. Both columns use the same registry. */
export const findDifferences = (
  current: Chunk,
  target: Chunk,
  { yMin, yMax }: { readonly yMin: number; readonly yMax: number },
): readonly Difference[] => {
  const differences: Difference[] = []
  const [x0, z0] = [target.cx * chunkBlocks, target.cz * chunkBlocks]
  for (let sectionY = yMin >> 4; sectionY <= yMax >> 4; sectionY += 1) {
    const [now, then] = [current.sections[sectionY], target.sections[sectionY]]
    if (isSame(now, then)) continue
    const bottom = sectionY * chunkBlocks
    for (let y = Math.max(bottom, yMin); y <= Math.min(bottom + chunkBlocks - 1, yMax); y += 1)
      for (let place = 0; place < chunkBlocks * chunkBlocks; place += 1) {
        const [x, z] = [place & 15, place >> 4]
        const index = indexAt(then, entryAt(x, y, z))
        if (indexAt(now, entryAt(x, y, z)) !== index) differences.push({ x: x0 + x, y, z: z0 + z, index })
      }
  }
  return differences
}

/** The refusal for an unreadable column of a zone, in the world or in a snapshot. */
export const columnUnreadable = ({ cx, cz }: ChunkPos, fault: string): AppError =>
  new AppError('unavailable', 'world-unusable', `The column ${cx},${cz} cannot be read: ${fault}.`)

/** Decodes a record. Throws AppError `unavailable` if it is damaged. */
export const decodeColumn = ({ cx, cz, bytes }: ChunkRecord, registry: BlockRegistry): Chunk => {
  const decoded = decodeChunk(bytes, { cx, cz }, registry)
  if (!decoded.ok) throw columnUnreadable({ cx, cz }, decoded.fault)
  return decoded.chunk
}

/** Returns a function that says whether a column belongs to the zone. */
export const isColumnOf = ({ chunks }: Pick<Zone, 'chunks'>): ((pos: ChunkPos) => boolean) => {
  const own = new Set(chunks.map(({ cx, cz }) => chunkKey(cx, cz)))
  return ({ cx, cz }) => own.has(chunkKey(cx, cz))
}

type CountDeps = {
  readonly snapshots: Pick<ZoneSnapshots, 'readParts'>
  readonly chunks: Pick<ChunkStore, 'getMany'>
  readonly turns: Turns
}

type Restoration = {
  readonly world: WorldRef
  readonly zone: Zone
  readonly snapshot: StoredSnapshot
  readonly registry: BlockRegistry
}

/** The number of stored blocks of the zone that differ from the snapshot. */
export const countRestored = async (
  { snapshots, chunks, turns }: CountDeps,
  { world, zone, snapshot, registry }: Restoration,
): Promise<number> => {
  const isOwn = isColumnOf(zone)
  let blocks = 0
  for await (const part of snapshots.readParts(snapshot)) {
    const zoneColumns = part.filter(isOwn)
    const stored = await chunks.getMany(world, zoneColumns)
    for (const [place, column] of zoneColumns.entries()) {
      const bytes = stored[place]
      if (bytes === undefined) throw columnUnreadable(column, 'it is missing')
      await turns.next()
      const current = decodeColumn({ ...column, bytes }, registry)
      blocks += findDifferences(current, decodeColumn(column, registry), heightsOfBoth(snapshot, zone)).length
    }
  }
  return blocks
}
