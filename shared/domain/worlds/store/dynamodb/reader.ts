import type { Dynamo } from '../../../../platform/storage/dynamodb/dynamodb-client.ts'
import { type ChunkPos, chunkKey, isChunkPos } from '../../../../rules/positions.ts'
import type { WorldRef } from '../chunk-store.ts'
import { inflateColumn } from './deflate-column.ts'
import { lostBatch, readBatch } from './finish.ts'
import { columnKey } from './keys.ts'
import { readWith, seqOf } from './world-state.ts'

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
export const readColumns = async (
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
