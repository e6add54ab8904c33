import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { AppError } from '../../../../kernel/errors.ts'
import { getItems, transactionWritesMax } from '../../../../platform/storage/dynamodb/dynamodb-calls.ts'
import type { Dynamo } from '../../../../platform/storage/dynamodb/dynamodb-client.ts'
import type { ChunkPos } from '../../../../rules/positions.ts'
import type { SideWrite, WorldRef } from '../chunk-store.ts'
import { markColumn } from '../region-bitmap.ts'
import type { DeflatedColumn } from './columns-batch.ts'
import { transactionBytesMax } from './finish.ts'
import { columnKey, setAsideKey, sideKey } from './keys.ts'
import { openBitmaps, putBitmaps, regionKeysOf } from './regions.ts'
import { encodeColumn, sizeOfColumn, unchanged, type WorldState } from './world-state.ts'
import type { ChunkChange } from './writer.ts'

/** The maximum number of columns in a write. Their places must fit into the item of their world. */
const columnsMax = 50_000

const totalOf = (columns: readonly DeflatedColumn[]): number => columns.reduce((sum, { deflated }) => sum + deflated.length, 0)

const writeBeside = (name: string, TableName: string, seq: number, { key, bytes }: SideWrite): TransactWriteItem => {
  const { pk, sk } = sideKey(name, key)
  if (bytes === undefined) return { Delete: { TableName, Key: { pk: { S: pk }, sk: { S: sk } } } }
  return { Put: { TableName, Item: { ...encodeColumn({ pk, sk }, seq, bytes) } } }
}

export type PlannedColumns = {
  readonly state: WorldState
  readonly columns: readonly DeflatedColumn[]
  readonly beside: readonly SideWrite[]
}

/**
 * Plans a write of columns, without duplicates: in one transaction if ten writes are enough, otherwise as a batch. Side records are
 * always part of the first transaction.
 */
export const planColumns = async (
  dynamo: Dynamo,
  { name }: WorldRef,
  { state, columns, beside }: PlannedColumns,
): Promise<ChunkChange> => {
  if (columns.length > columnsMax)
    throw new AppError('too-large', 'record-too-large', `At most ${columnsMax} columns can be written at once.`)
  const TableName = dynamo.tableName('chunks')
  const seq = state.seq + 1
  const find = await getItems(dynamo, TableName, {
    keys: [...regionKeysOf(name, columns), ...columns.map((column) => columnKey(name, column))],
    attributes: ['seq', 'bits', 'deflatedBytes'],
  })
  const bitmaps = openBitmaps(name, columns, find)
  const added = columns.filter((column) => markColumn(bitmaps.bitsAt(column), column, true)).length
  const replaced = columns.reduce((sum, column) => sum + sizeOfColumn(find(columnKey(name, column))), 0)
  const after = {
    ...state,
    chunkCount: state.chunkCount + added,
    sizeBytes: state.sizeBytes + totalOf(columns) - replaced,
  }
  const others = beside.map((record) => writeBeside(name, TableName, seq, record))
  const bytes = totalOf(columns) + beside.reduce((sum, record) => sum + (record.bytes?.length ?? 0), 0)
  const writes = 1 + bitmaps.regions.length + columns.length + others.length
  if (writes > transactionWritesMax || bytes > transactionBytesMax) return { state: after, writes: others, batch: columns }
  const puts = columns.map((column) => ({
    Put: { TableName, Item: encodeColumn(columnKey(name, column), seq, column.deflated) },
  }))
  return { state: after, writes: [...putBitmaps(bitmaps, { TableName, name, seq }), ...puts, ...others] }
}

/** Plans to move the record of a column aside. Without a record, only the writer's mark is written. */
export const planSetAside = async (
  dynamo: Dynamo,
  { name }: WorldRef,
  { state, pos }: { readonly state: WorldState; readonly pos: ChunkPos },
): Promise<ChunkChange> => {
  const TableName = dynamo.tableName('chunks')
  const seq = state.seq + 1
  const key = columnKey(name, pos)
  const find = await getItems(dynamo, TableName, { keys: [key, ...regionKeysOf(name, [pos])] })
  const item = find(key)
  const deflated = item?.deflated?.B
  if (deflated === undefined) return { state, writes: [] }
  const bitmaps = openBitmaps(name, [pos], find)
  markColumn(bitmaps.bitsAt(pos), pos, false)
  return {
    state: { ...state, chunkCount: state.chunkCount - 1 },
    writes: [
      ...putBitmaps(bitmaps, { TableName, name, seq }),
      { Put: { TableName, ...unchanged(item), Item: encodeColumn(key, seq) } },
      { Put: { TableName, Item: encodeColumn(setAsideKey(name, pos, seq), seq, deflated) } },
    ],
  }
}
