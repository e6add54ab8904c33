import type { Ids } from '../../../../kernel/ids.ts'
import { queryItems } from '../../../../platform/storage/dynamodb/dynamodb-calls.ts'
import type { Dynamo } from '../../../../platform/storage/dynamodb/dynamodb-client.ts'
import { type ChunkBox, type ChunkPos, chunkKey, isChunkPos } from '../../../../rules/positions.ts'
import type { ChunkRecord, ChunkStore, DiscoveredRow, SideRecord, SideWrite, WorldRef } from '../chunk-store.ts'
import { checkChunkPos, checkFence, checkPutMany, checkWorld, clipBox, storeClosed } from '../chunk-store-rules.ts'
import { planColumns, planSetAside } from './changes.ts'
import { deflateColumn, inflateColumn } from './deflate-column.ts'
import { listRows, readGenerated } from './discovered.ts'
import { lostBatch, readBatch } from './finish.ts'
import { columnKey, readSetAsideKey, readSideKey, setAsideRange, sideKey, sideRange } from './keys.ts'
import { readWith, seqOf } from './world-state.ts'
import { createChunkWriter, readState } from './writer.ts'

/** More than the number of batches that can finish between two reads. */
const attemptsMax = 20

type DeflatedColumns = readonly (Uint8Array | undefined)[]

/** The stored columns at `positions`; undefined if a batch was finished between two reads. */
const findColumns = async (
  dynamo: Dynamo,
  world: WorldRef,
  positions: readonly ChunkPos[],
): Promise<DeflatedColumns | undefined> => {
  const keys = positions.filter(isChunkPos).map((pos) => columnKey(world.name, pos))
  const { state, find } = await readWith(dynamo, world, keys)
  if (state === undefined) return positions.map(() => undefined)
  const itemAt = (pos: ChunkPos) => (isChunkPos(pos) ? find(columnKey(world.name, pos)) : undefined)
  const { pending, seq } = state
  const places = new Set(pending?.places.map(({ cx, cz }) => chunkKey(cx, cz)))
  const isPending = (pos: ChunkPos) => isChunkPos(pos) && places.has(chunkKey(pos.cx, pos.cz)) && seqOf(itemAt(pos)) < seq
  if (pending === undefined || !positions.some(isPending)) return positions.map((pos) => itemAt(pos)?.deflated?.B)
  const columns = await readBatch(dynamo, world.name, pending)
  const batch = columns && new Map(columns.map(({ cx, cz, deflated }) => [chunkKey(cx, cz), deflated]))
  return batch && positions.map((pos) => (isPending(pos) ? batch.get(chunkKey(pos.cx, pos.cz)) : itemAt(pos)?.deflated?.B))
}

/** The columns at `positions`, each with its own bytes. */
const readColumns = async (
  dynamo: Dynamo,
  world: WorldRef,
  positions: readonly ChunkPos[],
): Promise<readonly (Uint8Array | undefined)[]> => {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const columns = await findColumns(dynamo, world, positions)
    if (columns !== undefined) return Promise.all(columns.map((deflated) => deflated && inflateColumn(world, deflated)))
  }
  throw lostBatch(world)
}

export type DynamoChunkStoreDeps = {
  /** Not closed with the store. */
  readonly dynamo: Dynamo
  /** Makes ids of batches. */
  readonly ids: Pick<Ids, 'uuid'>
}

/**
 * A ChunkStore in DynamoDB (docs/decisions/0030-dynamodb.md). A read is one round trip, a write of a few columns two. A larger write
 * takes four more, plus one for every ten columns, four at a time. `sizeBytes` is the deflated size of the columns. Columns that are
 * read together may be from different moments, each complete. A discovered row may lack a part of a batch that is being finished.
 */
export const createDynamoChunkStore = ({ dynamo, ids }: DynamoChunkStoreDeps): ChunkStore => {
  const writer = createChunkWriter(dynamo, ids)
  const running = new Set<Promise<unknown>>()
  let closing: Promise<unknown> | undefined

  const whileOpen = async <T>(world: WorldRef, run: () => Promise<T>): Promise<T> => {
    if (closing !== undefined) throw storeClosed()
    checkWorld(world)
    const answer = run()
    running.add(answer)
    try {
      return await answer
    } finally {
      running.delete(answer)
    }
  }

  /** Reads the next item only while the store is open. */
  const listWhileOpen = async function* <T>(world: WorldRef, list: () => AsyncGenerator<T>): AsyncGenerator<T> {
    const items = list()
    try {
      for (;;) {
        const next = await whileOpen(world, () => items.next())
        if (next.done) return
        yield next.value
      }
    } finally {
      await items.return(undefined)
    }
  }

  const listRowsIn = async function* (world: WorldRef, box: ChunkBox): AsyncGenerator<DiscoveredRow> {
    if (box.minCx <= box.maxCx && box.minCz <= box.maxCz) yield* listRows(dynamo, world, box)
    else await readState(dynamo, world)
  }

  const listAside = async function* (world: WorldRef): AsyncGenerator<ChunkRecord> {
    if ((await readState(dynamo, world)) === undefined) return
    for await (const items of queryItems(dynamo, dynamo.tableName('chunks'), setAsideRange(world.name)))
      for (const { sk, deflated } of items)
        if (deflated?.B !== undefined) yield { ...readSetAsideKey(sk?.S ?? ''), bytes: await inflateColumn(world, deflated.B) }
  }

  const getSide = async (world: WorldRef, keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> => {
    const places = keys.map((key) => sideKey(world.name, key))
    const { state, find } = await readWith(dynamo, world, places)
    return places.map((place) => (state === undefined ? undefined : find(place)?.deflated?.B))
  }

  const listSide: ChunkStore['listSide'] = async (world, prefix, { after, limit = Number.POSITIVE_INFINITY } = {}) => {
    const records: SideRecord[] = []
    if ((await readState(dynamo, world)) === undefined) return records
    for await (const items of queryItems(dynamo, dynamo.tableName('chunks'), sideRange(world.name, prefix, after))) {
      for (const { sk, deflated } of items)
        if (deflated?.B !== undefined) records.push({ key: readSideKey(sk?.S ?? ''), bytes: deflated.B })
      if (records.length >= limit) break
    }
    return records.slice(0, limit)
  }

  const putMany = async (
    world: WorldRef,
    records: readonly ChunkRecord[],
    fence: number,
    beside: readonly SideWrite[],
  ): Promise<void> => {
    const distinct = new Map(records.map((record) => [chunkKey(record.cx, record.cz), record]))
    const columns = await Promise.all(
      [...distinct.values()].map(async ({ cx, cz, bytes }) => ({ cx, cz, deflated: await deflateColumn(bytes) })),
    )
    await writer.write(world, fence, async (state) =>
      columns.length + beside.length === 0 ? { state, writes: [] } : planColumns(dynamo, world, { state, columns, beside }),
    )
  }

  return {
    get: (world, pos) => whileOpen(world, async () => (await readColumns(dynamo, world, [pos]))[0]),
    getMany: (world, positions) => whileOpen(world, () => readColumns(dynamo, world, positions)),
    putMany: (world, records, fence, beside = []) =>
      whileOpen(world, async () => {
        checkPutMany(records, fence)
        await putMany(world, records, fence, beside)
      }),
    getSide: (world, keys) => whileOpen(world, () => getSide(world, keys)),
    listSide: (world, prefix, page) => whileOpen(world, () => listSide(world, prefix, page)),
    has: (world, pos) => whileOpen(world, async () => (await readGenerated(dynamo, world, [pos]))[0] ?? false),
    hasMany: (world, positions) => whileOpen(world, () => readGenerated(dynamo, world, positions)),
    discovered: (world, box) => listWhileOpen(world, () => listRowsIn(world, clipBox(box))),
    stats: (world) =>
      whileOpen(world, async () => {
        const { chunkCount, sizeBytes } = (await readState(dynamo, world)) ?? { chunkCount: 0, sizeBytes: 0 }
        return { chunkCount, sizeBytes }
      }),
    setAside: (world, pos, fence) =>
      whileOpen(world, async () => {
        checkFence(fence)
        checkChunkPos(pos)
        await writer.write(world, fence, (state) => planSetAside(dynamo, world, { state, pos }))
      }),
    listSetAside: (world) => listWhileOpen(world, () => listAside(world)),
    close: async () => {
      closing ??= Promise.allSettled(running)
      await closing
    },
  }
}
