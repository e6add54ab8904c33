import { GetItemCommand, PutItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { AppError } from '../../../../kernel/errors.ts'
import type { Ids } from '../../../../kernel/ids.ts'
import { queryItems, transact, transactionWritesMax } from '../../../../platform/storage/dynamodb/dynamodb-calls.ts'
import type { Dynamo } from '../../../../platform/storage/dynamodb/dynamodb-client.ts'
import type { Item } from '../../../../platform/storage/dynamodb/dynamodb-text.ts'
import type { WorldRef } from '../chunk-store.ts'
import { leaseLost } from '../chunk-store-rules.ts'
import { type DeflatedColumn, packBatch } from './columns-batch.ts'
import { finishBatch, lostBatch, readBatch } from './finish.ts'
import { batchKey, otherBatchRanges, worldKey } from './keys.ts'
import { decodeState, encodeColumn, encodeState, seqOf, type WorldState } from './world-state.ts'

/** A write: the new state, writes in the same transaction, and a batch for columns that do not fit into it. */
export type ChunkChange = {
  readonly state: WorldState
  readonly writes: readonly TransactWriteItem[]
  readonly batch?: readonly DeflatedColumn[]
}

/** Writes to worlds. Writes to one world run one after another, each all or nothing. */
export type ChunkWriter = {
  /** Passes the current state to `plan` and executes the plan. Repeats both if another writer was faster. */
  write(world: WorldRef, fence: number, plan: (state: WorldState) => Promise<ChunkChange>): Promise<void>
}

/** More than the number of concurrent writers in practice. */
const attemptsMax = 20

const newState = (world: WorldRef): WorldState => ({
  worldId: world.id,
  seq: 0,
  fence: 0,
  chunkCount: 0,
  sizeBytes: 0,
  pending: undefined,
})

/** The state of a world; undefined if it has no chunks yet. */
export const readState = async (dynamo: Dynamo, world: WorldRef): Promise<WorldState | undefined> => {
  const { pk, sk } = worldKey(world.name)
  const command = {
    TableName: dynamo.tableName('chunks'),
    Key: { pk: { S: pk }, sk: { S: sk } },
    ConsistentRead: true,
  }
  return decodeState(world, (await dynamo.ask((client, options) => client.send(new GetItemCommand(command), options))).Item)
}

const unchangedSince = ({ seq, worldId }: WorldState) =>
  seq === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : {
        ConditionExpression: 'seq = :seq AND worldId = :worldId',
        ExpressionAttributeValues: { ':seq': { N: String(seq) }, ':worldId': { S: worldId } },
      }

/**
 * The writer of a chunk store. Every write checks the number of the previous one, so one of two concurrent writers starts again. The
 * last state is cached, so a single writer need not read it.
 */
export const createChunkWriter = (dynamo: Dynamo, ids: Pick<Ids, 'uuid'>): ChunkWriter => {
  const TableName = dynamo.tableName('chunks')
  const states = new Map<string, WorldState>()
  const turns = new Map<string, Promise<unknown>>()

  const remember = (world: WorldRef, state: WorldState | undefined): void => {
    if (state === undefined) states.delete(world.name)
    else states.set(world.name, state)
  }

  /** First finishes a batch that an earlier write left pending, perhaps of a process that died. */
  const findState = async (world: WorldRef, fence: number): Promise<WorldState> => {
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const remembered = states.get(world.name)
      const state = remembered?.worldId === world.id ? remembered : ((await readState(dynamo, world)) ?? newState(world))
      if (fence < state.fence) throw leaseLost()
      const { pending } = state
      if (pending === undefined) return state
      const columns = await readBatch(dynamo, world.name, pending)
      remember(world, columns && (await finishBatch(dynamo, world, { state, pending, columns })))
    }
    throw lostBatch(world)
  }

  const putItem = (item: Item) =>
    dynamo.ask((client, options) => client.send(new PutItemCommand({ TableName, Item: { ...item } }), options))

  /**
   * Deletes parts of large batches that were never committed. No write with a number up to `seq` can still be committed. Parts with a
   * later number stay, because they may be in progress.
   */
  const sweep = async (name: string, batchId: string, seq: number): Promise<void> => {
    for (const range of otherBatchRanges(name, batchId))
      for await (const items of queryItems(dynamo, TableName, range))
        for (const item of items)
          if (item.pk !== undefined && item.sk !== undefined && seqOf(item) <= seq)
            await transact(dynamo, [{ Delete: { TableName, Key: { pk: item.pk, sk: item.sk } } }])
  }

  /** The state after the write; undefined if another writer was faster. */
  const commitBatch = async (
    world: WorldRef,
    before: WorldState,
    { state, writes: beside, batch = [] }: ChunkChange,
  ): Promise<WorldState | undefined> => {
    const id = ids.uuid()
    const parts = packBatch(batch).map((bytes, part): Item => encodeColumn(batchKey(world.name, id, part), state.seq, bytes))
    const pending = { id, parts: parts.length, places: batch.map(({ cx, cz }) => ({ cx, cz })) }
    const after = { ...state, pending }
    const put = { TableName, Item: encodeState(worldKey(world.name), after), ...unchangedSince(before) }
    const isLarge = parts.length + beside.length >= transactionWritesMax
    if (isLarge) for (const part of parts) await putItem(part)
    const writes = isLarge ? [] : parts.map((Item): TransactWriteItem => ({ Put: { TableName, Item: { ...Item } } }))
    if (!(await transact(dynamo, [{ Put: put }, ...beside, ...writes]))) return undefined
    if (isLarge) await sweep(world.name, id, state.seq).catch(() => undefined)
    return after
  }

  const commit = async (world: WorldRef, before: WorldState, change: ChunkChange): Promise<WorldState | undefined> => {
    if (change.batch !== undefined) return commitBatch(world, before, change)
    const put = { TableName, Item: encodeState(worldKey(world.name), change.state), ...unchangedSince(before) }
    return (await transact(dynamo, [{ Put: put }, ...change.writes])) ? change.state : undefined
  }

  /** The batch is committed. If this fails, readers still see it, and the next write finishes it. */
  const finish = async (world: WorldRef, state: WorldState, columns: readonly DeflatedColumn[]): Promise<void> => {
    if (state.pending === undefined) return
    const finished = finishBatch(dynamo, world, { state, pending: state.pending, columns })
    remember(world, await finished.catch(() => undefined))
  }

  const write: ChunkWriter['write'] = async (world, fence, plan) => {
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const before = await findState(world, fence)
      const change = await plan(before)
      const after = await commit(world, before, { ...change, state: { ...change.state, fence, seq: before.seq + 1 } })
      remember(world, after)
      if (after !== undefined) return finish(world, after, change.batch ?? [])
    }
    throw new AppError('unavailable', 'service-unavailable', 'There are too many concurrent writes to this world. Try again.', {
      retryAfterSeconds: 1,
    })
  }

  return {
    write: (world, fence, plan) => {
      const turn = (turns.get(world.name) ?? Promise.resolve()).then(() => write(world, fence, plan))
      const end = turn.catch(() => states.delete(world.name))
      turns.set(world.name, end)
      void end.finally(() => turns.get(world.name) === end && turns.delete(world.name))
      return turn
    },
  }
}
