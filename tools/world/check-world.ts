import type { BlockRegistry } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { decodeChunk } from '../../shared/domain/worlds/chunks/decode-chunk.ts'
import { type FoundColumn, readColumns } from '../../shared/domain/worlds/export/read-columns.ts'
import type { ChunkStore, WorldRef } from '../../shared/domain/worlds/store/chunk-store.ts'
import type { ChunkPos } from '../../shared/rules/positions.ts'
import type { WorldContext } from './world-command.ts'

/** A fault of a column. */
export type ColumnFault = ChunkPos & {
  readonly fault: string
  /** A `newer` record is valid, but only for a newer server. A `missing` one counts as generated without a record. */
  readonly kind: 'damaged' | 'newer' | 'missing'
}

export type WorldCheck = {
  readonly columns: number
  readonly faults: number
  /** The count of the store. If it changed during the check, a count that all columns agree with. */
  readonly countedByStore: number
}

const findFault = ({ cx, cz, bytes }: FoundColumn, registry: BlockRegistry): ColumnFault | undefined => {
  if (bytes === undefined) return { cx, cz, kind: 'missing', fault: 'it counts as generated, but has no record' }
  const decoded = decodeChunk(bytes, { cx, cz }, registry)
  return decoded.ok ? undefined : { cx, cz, kind: decoded.newer ? 'newer' : 'damaged', fault: decoded.fault }
}

/** A node may have set the column aside or written it between the reads of the bitmap and of the record. */
const isStillMissing = async (chunks: ChunkStore, world: WorldRef, { cx, cz }: ChunkPos): Promise<boolean> => {
  for await (const row of chunks.discovered(world, { minCx: cx, maxCx: cx, minCz: cz, maxCz: cz }))
    if (row.czs.length > 0) return !(await chunks.has(world, { cx, cz }))
  return false
}

/** Next to a running node, the count changes during the check. */
const settleCount = (columns: number, before: number, after: number): number =>
  columns >= Math.min(before, after) && columns <= Math.max(before, after) ? columns : after

/** Decodes every record of a world and reports each damaged one at once. Changes nothing. */
export const checkWorld = async (
  { task, begin, signal }: WorldContext,
  world: WorldRef,
  onFault: (fault: ColumnFault) => Promise<void>,
): Promise<WorldCheck> => {
  const { chunks, createRegistry } = task
  const before = (await chunks.stats(world)).chunkCount
  const progress = begin(`Checking ${world.name}`, before)
  let columns = 0
  let faults = 0
  try {
    for await (const batch of readColumns({ chunks, world, signal })) {
      // Unknown ids stay in a registry, so each batch gets a new one.
      const registry = createRegistry()
      for (const column of batch) {
        const fault = findFault(column, registry)
        columns += 1
        if (fault === undefined || (fault.kind === 'missing' && !(await isStillMissing(chunks, world, fault)))) continue
        faults += 1
        await onFault(fault)
      }
      progress.advance(batch.length)
    }
  } finally {
    progress.end()
  }
  const after = (await chunks.stats(world)).chunkCount
  return { columns, faults, countedByStore: settleCount(columns, before, after) }
}
