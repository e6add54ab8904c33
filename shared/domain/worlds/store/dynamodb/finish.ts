import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import type { AppError } from '../../../../kernel/errors.ts'
import { getItems, transact, transactionWritesMax } from '../../../../platform/storage/dynamodb/dynamodb-calls.ts'
import type { Dynamo } from '../../../../platform/storage/dynamodb/dynamodb-client.ts'
import type { WorldRef } from '../chunk-store.ts'
import { worldUnusable } from '../chunk-store-rules.ts'
import { bitmapBytes, markColumn } from '../region-bitmap.ts'
import { type DeflatedColumn, unpackPart } from './columns-batch.ts'
import { batchKey, columnKey, worldKey } from './keys.ts'
import { isBehind, openBitmaps, putBitmaps, regionKeysOf } from './regions.ts'
import { encodeColumn, encodeState, type PendingBatch, type WorldState } from './world-state.ts'

/** Below the limit of 4 MB for a transaction. */
export const transactionBytesMax = 3_000_000

const transactionsAtOnce = 4

type SizedWrite = { readonly write: TransactWriteItem; readonly size: number }

/** Groups writes into transactions of at most ten writes, below the size limit. */
const groupWrites = (writes: readonly SizedWrite[]): TransactWriteItem[][] => {
  const groups: TransactWriteItem[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const { write, size: bytes } of writes) {
    const group = groups.at(-1)
    if (group === undefined || group.length === transactionWritesMax || size + bytes > transactionBytesMax) {
      groups.push([write])
      size = bytes
    } else {
      group.push(write)
      size += bytes
    }
  }
  return groups
}

/** Late writes do not overwrite newer items. */
const unlessNewer = (seq: number) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR seq <= :seq',
  ExpressionAttributeValues: { ':seq': { N: String(seq) } },
})

/** The refusal if a part of a committed batch is missing. */
export const lostBatch = (world: WorldRef): AppError =>
  worldUnusable(world, 'a part of its last write is missing', 'Restore the table from a backup.')

/** The columns of a pending batch; undefined if another writer has finished it. */
export const readBatch = async (
  dynamo: Dynamo,
  name: string,
  { id, parts }: PendingBatch,
): Promise<readonly DeflatedColumn[] | undefined> => {
  const keys = Array.from({ length: parts }, (_, part) => batchKey(name, id, part))
  const find = await getItems(dynamo, dynamo.tableName('chunks'), { keys })
  const found = keys.map((key) => find(key)?.deflated?.B)
  return found.every((bytes) => bytes !== undefined) ? found.flatMap(unpackPart) : undefined
}

/**
 * Copies the records of a pending batch to their columns. Safe to run concurrently and repeatedly: each item has the number of its
 * write, and newer items are not changed. Returns the state without the batch, or undefined if another writer has gone further.
 */
export const finishBatch = async (
  dynamo: Dynamo,
  { name }: WorldRef,
  { state, pending, columns }: { state: WorldState; pending: PendingBatch; columns: readonly DeflatedColumn[] },
): Promise<WorldState | undefined> => {
  const TableName = dynamo.tableName('chunks')
  const guard = { TableName, ...unlessNewer(state.seq) }
  const find = await getItems(dynamo, TableName, { keys: regionKeysOf(name, columns) })
  const bitmaps = openBitmaps(name, columns, find)
  if (isBehind(bitmaps, state.seq)) return undefined
  for (const column of columns) markColumn(bitmaps.bitsAt(column), column, true)
  const groups = groupWrites([
    ...putBitmaps(bitmaps, { TableName, name, seq: state.seq }).map((write) => ({ write, size: bitmapBytes })),
    ...columns.map((column) => ({
      write: { Put: { ...guard, Item: encodeColumn(columnKey(name, column), state.seq, column.deflated) } },
      size: column.deflated.length,
    })),
  ])
  for (let at = 0; at < groups.length; at += transactionsAtOnce) {
    const held = await Promise.all(groups.slice(at, at + transactionsAtOnce).map((group) => transact(dynamo, group)))
    if (held.includes(false)) return undefined
  }
  return clearBatch(dynamo, name, { state, pending })
}

/** Removes the batch from the state, then deletes its parts. After a crash, the next large batch deletes the remaining ones. */
const clearBatch = async (
  dynamo: Dynamo,
  name: string,
  { state, pending }: { readonly state: WorldState; readonly pending: PendingBatch },
): Promise<WorldState | undefined> => {
  const TableName = dynamo.tableName('chunks')
  const cleared = { ...state, pending: undefined }
  const deletions = Array.from({ length: pending.parts }, (_, part): TransactWriteItem => {
    const { pk, sk } = batchKey(name, pending.id, part)
    return { Delete: { TableName, Key: { pk: { S: pk }, sk: { S: sk } } } }
  })
  const put: TransactWriteItem = {
    Put: {
      TableName,
      Item: encodeState(worldKey(name), cleared),
      ConditionExpression: 'seq = :seq AND batchId = :batchId',
      ExpressionAttributeValues: { ':seq': { N: String(state.seq) }, ':batchId': { S: pending.id } },
    },
  }
  const together = deletions.splice(0, transactionWritesMax - 1)
  if (!(await transact(dynamo, [put, ...together]))) return undefined
  while (deletions.length > 0) await transact(dynamo, deletions.splice(0, transactionWritesMax))
  return cleared
}
