import { AppError } from '../../../kernel/errors.ts'
import type { Turns } from '../../../kernel/turns.ts'
import type { Chunk } from '../../../rules/chunks/chunk.ts'
import { type ChunkPos, chunkKey } from '../../../rules/positions.ts'
import type { BlockRegistry } from '../../worlds/chunks/block-registry.ts'
import { decodeChunk } from '../../worlds/chunks/decode-chunk.ts'
import type { ChunkRecord, ChunkStore, WorldRef } from '../../worlds/store/chunk-store.ts'
import type { Zone } from '../zone.ts'
import { findDifferences } from './find-differences.ts'
import { heightsOfBoth, type StoredSnapshot } from './snapshot.ts'
import type { ZoneSnapshots } from './zone-snapshots.ts'

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
