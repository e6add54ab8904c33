import type { JobContext, JobKind, JobProgress } from '../../shared/domain/jobs/job.ts'
import { parseRestoreInput, parseRestoreKept, restoreName } from '../../shared/domain/jobs/snapshot-jobs.ts'
import type { ChunkRecord } from '../../shared/domain/worlds/store/chunk-store.ts'
import { decodeColumn, findDifferences, isColumnOf } from '../../shared/domain/zones/snapshots/find-differences.ts'
import { heightsOfBoth, type StoredSnapshot } from '../../shared/domain/zones/snapshots/snapshot.ts'
import type { ZoneSnapshots } from '../../shared/domain/zones/snapshots/zone-snapshots.ts'
import type { Zone } from '../../shared/domain/zones/zone.ts'
import type { ZoneService } from '../../shared/domain/zones/zone-service.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { letOthersWork } from '../../shared/kernel/turns.ts'
import type { ColumnHolder } from '../world/columns/loaded-world.ts'
import type { ChangeBlocks } from '../world/edits/change-blocks.ts'
import type { NodeWorld } from '../world/node-world.ts'
import { blocksPerSlice, changeSlice } from './change-slice.ts'

export type RestoreDeps = {
  readonly world: Pick<NodeWorld, 'loaded' | 'registry'>
  readonly zones: Pick<ZoneService, 'getZone'>
  readonly snapshots: Pick<ZoneSnapshots, 'get' | 'readParts'>
  readonly loop: { readonly changeBlocks: ChangeBlocks }
}

/** Farther than the views of players, so that players come first. */
const distance = 64

/** Restores the part of a column that is in the zone. Resolves to the number of changed blocks. */
const restoreColumn = async (
  { world, loop }: RestoreDeps,
  { snapshot, zone, column }: { readonly snapshot: StoredSnapshot; readonly zone: Zone; readonly column: ChunkRecord },
  { job, signal }: JobContext,
): Promise<number> => {
  const { loaded, registry } = world
  const holder: ColumnHolder = { distanceTo: () => distance }
  const wanted = decodeColumn(column, registry)
  let changed = 0
  try {
    const { chunk } = await loaded.load(column, holder)
    const differences = findDifferences(chunk, wanted, heightsOfBoth(snapshot, zone))
    for (let at = 0; at < differences.length; at += blocksPerSlice) {
      const changes = differences.slice(at, at + blocksPerSlice)
      changed += await changeSlice(loop, signal, () => ({ changes, by: job.by, via: 'restore', undoes: job.id }))
    }
    return changed
  } finally {
    loaded.letGo(column, holder)
  }
}

const told = (done: number, parts: number, blocks: number): JobProgress => ({
  progress: parts === 0 ? 1 : done / parts,
  detail: `${blocks} blocks were restored from the snapshot.`,
  result: { blocks },
})

/**
 * Restores the blocks of a zone from a snapshot through the game loop. After a crash it continues with the column that it was at.
 */
export const createRestoreKind = (deps: RestoreDeps): JobKind => ({
  kind: restoreName,
  lane: 'blocks',
  afterCrash: 'go-on',
  run: async (context) => {
    const { zones, snapshots } = deps
    const input = parseRestoreInput(context.input)
    if (!input.ok) throw new AppError('invalid', 'bad-request', 'The job cannot be read. Start it again.')
    const snapshot = await snapshots.get(input.value.zone, input.value.snapshot)
    const kept = parseRestoreKept(context.kept)
    let { parts, blocks } = kept.ok ? kept.value : { parts: 0, blocks: 0 }
    for await (const columns of snapshots.readParts(snapshot, parts)) {
      // The zone may have other bounds now, or be deleted.
      const { zone } = await zones.getZone(snapshot.zone)
      for (const column of columns.filter(isColumnOf(zone))) {
        context.signal.throwIfAborted()
        blocks += await restoreColumn(deps, { snapshot, zone, column }, context)
        context.tell(told(parts, snapshot.parts, blocks))
        await letOthersWork()
      }
      parts += 1
      await context.keep({ parts, blocks }, told(parts, snapshot.parts, blocks))
    }
    const { detail, result } = told(parts, snapshot.parts, blocks)
    return { detail, result }
  },
})
