import { type ItemKey, queryItems, transact, transactionWritesMax } from '../../../../platform/storage/dynamodb/dynamodb-calls.ts'
import type { Dynamo } from '../../../../platform/storage/dynamodb/dynamodb-client.ts'
import type { ChunkPos } from '../../../../rules/positions.ts'
import type { WorldRef } from '../chunk-store.ts'
import { hasColumn, type RegionPos, regionColumns } from '../region-bitmap.ts'
import { columnKey, readRegionKey, readSetAsideKey, setAsideRange, worldKey } from './keys.ts'
import { bitsOf } from './world-state.ts'
import { readState } from './writer.ts'

const transactionsAtOnce = 8

const deleteItems = async (dynamo: Dynamo, keys: readonly ItemKey[]): Promise<void> => {
  const TableName = dynamo.tableName('chunks')
  const deletions = keys.map(({ pk, sk }) => ({ Delete: { TableName, Key: { pk: { S: pk }, sk: { S: sk } } } }))
  const next = async (): Promise<void> => {
    while (deletions.length > 0) await transact(dynamo, deletions.splice(0, transactionWritesMax))
  }
  await Promise.all(Array.from({ length: transactionsAtOnce }, next))
}

const columnsOf = ({ rx, rz }: RegionPos, bits: Buffer): ChunkPos[] => {
  const side = Array.from({ length: regionColumns }, (_, at) => at)
  return side
    .flatMap((x) => side.map((z) => ({ cx: rx * regionColumns + x, cz: rz * regionColumns + z })))
    .filter((pos) => hasColumn(bits, pos))
}

/**
 * Deletes all chunks of a world, if they belong to it. Safe to repeat after a crash: items that lead to others are deleted last. The
 * world must have no writer. Takes a transaction for every ten columns, eight at a time.
 */
export const eraseChunks = async (dynamo: Dynamo, world: WorldRef): Promise<void> => {
  const { name } = world
  const state = await readState(dynamo, world)
  if (state === undefined) return
  await deleteItems(
    dynamo,
    (state.pending?.places ?? []).map((pos) => columnKey(name, pos)),
  )
  const beside = (from: string) => queryItems(dynamo, dynamo.tableName('chunks'), { pk: name, from, to: `${from}~` })
  for await (const items of beside('region/'))
    for (const item of items) {
      const sk = item.sk?.S ?? ''
      await deleteItems(
        dynamo,
        columnsOf(readRegionKey(sk), bitsOf(item)).map((pos) => columnKey(name, pos)),
      )
      await deleteItems(dynamo, [{ pk: name, sk }])
    }
  // A column that was set aside still has an item, which would be newer than the writes of another world with the same name.
  for await (const items of queryItems(dynamo, dynamo.tableName('chunks'), setAsideRange(name)))
    await deleteItems(
      dynamo,
      items.map(({ sk }) => columnKey(name, readSetAsideKey(sk?.S ?? ''))),
    )
  for (const from of ['aside/', 'batch/', 'side/'])
    for await (const items of beside(from))
      await deleteItems(
        dynamo,
        items.map(({ sk }) => ({ pk: name, sk: sk?.S ?? '' })),
      )
  await deleteItems(dynamo, [worldKey(name)])
}
