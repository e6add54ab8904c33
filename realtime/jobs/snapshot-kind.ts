import type { JobKind } from '../../shared/domain/jobs/job-kind.ts'
import { parseSnapshotInput, snapshotName } from '../../shared/domain/jobs/snapshot-jobs.ts'
import { encodeChunk } from '../../shared/domain/worlds/chunks/chunk-codec.ts'
import type { ChunkRecord, ChunkStore } from '../../shared/domain/worlds/store/chunk-store.ts'
import { readColumns } from '../../shared/domain/zones/blocks/read-columns.ts'
import { countBlocks } from '../../shared/domain/zones/blocks/zone-blocks.ts'
import { columnUnreadable, decodeColumn, isColumnOf } from '../../shared/domain/zones/snapshots/count-restored.ts'
import type { SnapshotWriter, ZoneSnapshots } from '../../shared/domain/zones/snapshots/zone-snapshots.ts'
import type { Zone } from '../../shared/domain/zones/zone.ts'
import type { ZoneService } from '../../shared/domain/zones/zone-service.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { Turns } from '../../shared/kernel/turns.ts'
import { setBlock } from '../../shared/rules/chunks/chunk.ts'
import { type BlockPos, chunkCoordinate, chunkKey } from '../../shared/rules/positions.ts'
import type { WatchBlocks } from '../world/edits/change-blocks.ts'
import type { NodeWorld } from '../world/node-world.ts'

export type SnapshotDeps = {
  readonly world: Pick<NodeWorld, 'record' | 'writer' | 'registry'>
  readonly chunks: Pick<ChunkStore, 'getMany'>
  readonly zones: Pick<ZoneService, 'getZone'>
  readonly snapshots: ZoneSnapshots
  readonly loop: { readonly watchReplaced: WatchBlocks }
  readonly turns: Turns
  readonly clock: Pick<Clock, 'now'>
}

type Replaced = BlockPos & { readonly index: number }

/** What blocks of a zone were before they changed for the first time since. */
const watchZone = ({ loop }: SnapshotDeps, zone: Zone) => {
  const isOwn = isColumnOf(zone)
  const columns = new Map<number, Map<string, Replaced>>()
  const end = loop.watchReplaced(({ x, y, z }, index) => {
    const pos = { cx: chunkCoordinate(x), cz: chunkCoordinate(z) }
    if (!isOwn(pos)) return
    const key = chunkKey(pos.cx, pos.cz)
    const column = columns.get(key) ?? new Map<string, Replaced>()
    columns.set(key, column)
    const block = `${x} ${y} ${z}`
    if (!column.has(block)) column.set(block, { x, y, z, index })
  })
  return { end, replacedIn: ({ cx, cz }: ChunkRecord) => [...(columns.get(chunkKey(cx, cz))?.values() ?? [])] }
}

/** A stored column as it was when the watch began: what has changed since is taken back in it. */
const columnThen = ({ world }: SnapshotDeps, column: ChunkRecord, replaced: readonly Replaced[]): ChunkRecord => {
  if (replaced.length === 0) return column
  const chunk = decodeColumn(column, world.registry)
  for (const { index, ...pos } of replaced) setBlock(chunk, pos, index)
  return { ...column, bytes: encodeChunk(chunk, world.registry) }
}

/** Takes a snapshot of a zone at the moment at which it begins, while the game goes on; after a crash it begins again. */
export const createSnapshotKind = (deps: SnapshotDeps): JobKind => ({
  kind: snapshotName,
  lane: 'snapshots',
  afterCrash: 'go-on',
  run: async ({ job, input, signal, tell }) => {
    const { world, chunks, zones, snapshots, turns, clock } = deps
    const parsed = parseSnapshotInput(input)
    if (!parsed.ok) throw new AppError('invalid', 'bad-request', 'The job cannot be read; start it again.')
    const { zone } = await zones.getZone(parsed.value.zone)
    await snapshots.refuseFull(zone.id)
    const at = new Date(clock.now()).toISOString()
    const watch = watchZone(deps, zone)
    const { yMin, yMax } = zone
    const facts = { id: job.id, zone: zone.id, name: parsed.value.name, at, by: job.by, yMin, yMax }
    let writer: SnapshotWriter | undefined
    try {
      // What players had done by then is in the store from now on.
      await world.writer.settle()
      writer = await snapshots.write(facts)
      const columns = zone.chunks.length
      let read = 0
      for await (const { pos, record, place } of readColumns({
        chunks,
        world: world.record,
        positions: zone.chunks,
        turns,
        signal,
      })) {
        if (place !== read) break
        const column = columnThen(deps, { ...pos, bytes: record }, watch.replacedIn({ ...pos, bytes: record }))
        await writer.add(column, countBlocks(decodeColumn(column, world.registry), zone))
        read += 1
        tell({ progress: read / columns, detail: `${read} of ${columns} columns are read.` })
      }
      const missing = zone.chunks[read]
      if (missing !== undefined) throw columnUnreadable(missing, 'it is not there')
      // One that was deleted meanwhile has no use for it.
      await zones.getZone(zone.id)
      const snapshot = await writer.finish()
      return { detail: `The snapshot "${snapshot.name}" holds ${snapshot.blocks} blocks.`, result: snapshot }
    } catch (error) {
      await writer?.giveUp().catch(() => undefined)
      throw error
    } finally {
      watch.end()
    }
  },
})
