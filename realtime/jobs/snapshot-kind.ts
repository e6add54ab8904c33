import type { JobKind } from '../../shared/domain/jobs/job.ts'
import { parseSnapshotInput, snapshotName } from '../../shared/domain/jobs/snapshot-jobs.ts'
import { encodeChunk } from '../../shared/domain/worlds/chunks/compress-chunk.ts'
import type { ChunkRecord, ChunkStore } from '../../shared/domain/worlds/store/chunk-store.ts'
import { countBlocks } from '../../shared/domain/zones/blocks/list-zone-blocks.ts'
import { readColumns } from '../../shared/domain/zones/blocks/read-columns.ts'
import { columnUnreadable, decodeColumn, isColumnOf } from '../../shared/domain/zones/snapshots/find-differences.ts'
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

/** Records the original blocks of a zone at their first change. */
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

/** A stored column as of the start of the watch: later changes are undone in it. */
const columnThen = ({ world }: SnapshotDeps, column: ChunkRecord, replaced: readonly Replaced[]): ChunkRecord => {
  if (replaced.length === 0) return column
  const chunk = decodeColumn(column, world.registry)
  for (const { index, ...pos } of replaced) setBlock(chunk, pos, index)
  return { ...column, bytes: encodeChunk(chunk, world.registry) }
}

/** Takes a snapshot of a zone as of the start of the job, while the game continues. After a crash it starts again. */
export const createSnapshotKind = (deps: SnapshotDeps): JobKind => ({
  kind: snapshotName,
  lane: 'snapshots',
  afterCrash: 'go-on',
  run: async ({ job, input, signal, tell }) => {
    const { world, chunks, zones, snapshots, turns, clock } = deps
    const parsed = parseSnapshotInput(input)
    if (!parsed.ok) throw new AppError('invalid', 'bad-request', 'The job cannot be read. Start it again.')
    const { zone } = await zones.getZone(parsed.value.zone)
    await snapshots.refuseFull(zone.id)
    const at = new Date(clock.now()).toISOString()
    const watch = watchZone(deps, zone)
    const { yMin, yMax } = zone
    const facts = { id: job.id, zone: zone.id, name: parsed.value.name, at, by: job.by, yMin, yMax }
    let writer: SnapshotWriter | undefined
    try {
      // After this, all earlier edits are in the store.
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
        tell({ progress: read / columns, detail: `${read} of ${columns} chunks read.` })
      }
      const missing = zone.chunks[read]
      if (missing !== undefined) throw columnUnreadable(missing, 'it is not there')
      // Fails if the zone was deleted in the meantime.
      await zones.getZone(zone.id)
      const snapshot = await writer.finish()
      return { detail: `The snapshot "${snapshot.name}" has ${snapshot.blocks} blocks.`, result: snapshot }
    } catch (error) {
      await writer?.giveUp().catch(() => undefined)
      throw error
    } finally {
      watch.end()
    }
  },
})
