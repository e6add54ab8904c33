import { decodeChunk } from '../../shared/worlds/chunk-codec.ts'
import type { ChunkPos } from '../../shared/worlds/positions.ts'
import type { WorldRecord } from '../../shared/worlds/world.ts'
import { type FoundColumn, readColumns } from './read-columns.ts'
import type { WorldContext } from './world-command.ts'

/** What is wrong with a column. */
export type ColumnFault = ChunkPos & {
  readonly fault: string
  /** A `newer` record is whole: only a newer server reads it. */
  readonly kind: 'damaged' | 'newer' | 'missing'
}

export type WorldCheck = { readonly columns: number; readonly faults: number; readonly countedByStore: number }

const findFault = ({ cx, cz, bytes }: FoundColumn, registry: Parameters<typeof decodeChunk>[2]): ColumnFault | undefined => {
  if (bytes === undefined) return { cx, cz, kind: 'missing', fault: 'it counts as generated, but there is no record of it' }
  const decoded = decodeChunk(bytes, { cx, cz }, registry)
  return decoded.ok ? undefined : { cx, cz, kind: decoded.newer ? 'newer' : 'damaged', fault: decoded.fault }
}

/** Decodes every record of a world and tells of each that is damaged as it comes by; changes nothing itself. */
export const checkWorld = async (
  { task, begin, signal }: WorldContext,
  world: WorldRecord,
  onFault: (fault: ColumnFault) => Promise<void>,
): Promise<WorldCheck> => {
  const { chunks, createRegistry } = task
  const { chunkCount: countedByStore } = await chunks.stats(world)
  const progress = begin(`Checking ${world.name}`, countedByStore)
  let columns = 0
  let faults = 0
  try {
    for await (const batch of readColumns({ chunks, world, signal })) {
      const registry = createRegistry()
      for (const column of batch) {
        const fault = findFault(column, registry)
        columns += 1
        if (fault === undefined) continue
        faults += 1
        await onFault(fault)
      }
      progress.advance(batch.length)
    }
  } finally {
    progress.end()
  }
  return { columns, faults, countedByStore }
}
