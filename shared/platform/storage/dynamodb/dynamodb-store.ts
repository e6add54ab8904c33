import {
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb'
import type { Ids } from '../../../kernel/ids.ts'
import { createRecordStore, type StoredText } from '../record-store.ts'
import type { Store } from '../store.ts'
import { type ListRange, meetsPrecondition, type PreparedWrite } from '../store-rules.ts'
import { transact } from './dynamodb-calls.ts'
import type { Dynamo } from './dynamodb-client.ts'
import { isConditionMissed, wasRepeated } from './dynamodb-fault.ts'
import { tableOfCollection } from './dynamodb-tables.ts'
import { type Item, packText, unpackText } from './dynamodb-text.ts'

export type DynamoStoreDeps = {
  /** Not closed with the store. */
  readonly dynamo: Dynamo
  /** Makes versions. */
  readonly ids: Pick<Ids, 'uuid'>
}

type RecordKey = Pick<PreparedWrite, 'collection' | 'id'>

const keyOf = ({ collection, id }: RecordKey): Item => ({ pk: { S: collection }, sk: { S: id } })

const readItem = async (item: Item): Promise<StoredText> => ({
  id: item.sk?.S ?? '',
  version: item.version?.S ?? '',
  text: await unpackText(item),
})

const conditionOf = ({ ifVersion }: PreparedWrite) => {
  if (ifVersion === undefined) return {}
  if (ifVersion === null) return { ConditionExpression: 'attribute_not_exists(pk)' }
  return {
    ConditionExpression: '#version = :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': { S: ifVersion } },
  }
}

const itemOf = async (write: PreparedWrite & { readonly kind: 'put' }): Promise<Item> => ({
  ...keyOf(write),
  version: { S: write.version },
  ...(await packText(write.text)),
})

/** The start of a page: undefined for the first page, `past` if nothing in the range can follow the cursor. */
const startOf = (collection: string, { prefix, after, descending }: ListRange): Item | 'past' | undefined => {
  if (after === undefined) return undefined
  if (after.subarray(0, prefix.length).equals(prefix)) return keyOf({ collection, id: after.toString('utf8') })
  return after.compare(prefix) > 0 === descending ? undefined : 'past'
}

const queryOf = (table: string, collection: string, { prefix, descending }: ListRange) => ({
  TableName: table,
  ConsistentRead: true,
  ScanIndexForward: !descending,
  KeyConditionExpression: prefix.length === 0 ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: {
    ':pk': { S: collection },
    ...(prefix.length > 0 && { ':prefix': { S: prefix.toString('utf8') } }),
  },
})

/**
 * A Store in DynamoDB (docs/decisions/0030-dynamodb.md). A read, a write or a commit is one round trip, a list one for each MB. Reads
 * are strongly consistent. A record that is larger than an item throws AppError `too-large`. A list may show a part of a concurrent
 * commit, with each record complete.
 */
export const createDynamoStore = ({ dynamo, ids }: DynamoStoreDeps): Store => {
  const tableOf = (collection: string) => dynamo.tableName(tableOfCollection(collection))

  const find = async ({ collection, id }: RecordKey): Promise<Item | undefined> => {
    const command = { TableName: tableOf(collection), Key: keyOf({ collection, id }), ConsistentRead: true }
    return (await dynamo.ask((client, options) => client.send(new GetItemCommand(command), options))).Item
  }

  const readRange = async (collection: string, range: ListRange): Promise<readonly StoredText[]> => {
    const count = range.limit + 1
    const items: Item[] = []
    const prefix = range.prefix.toString('utf8')
    let start = startOf(collection, range)
    if (start === 'past') return []
    do {
      const query: QueryCommandInput = {
        ...queryOf(tableOf(collection), collection, range),
        Limit: count - items.length,
        ...(start !== undefined && { ExclusiveStartKey: start }),
      }
      const page: QueryCommandOutput = await dynamo.ask((client, options) => client.send(new QueryCommand(query), options))
      // DynamoDB Local treats a NUL in a prefix as its end, and finds too many items.
      items.push(...(page.Items ?? []).filter(({ sk }) => sk?.S?.startsWith(prefix)))
      start = page.LastEvaluatedKey
    } while (start !== undefined && items.length < count)
    return Promise.all(items.map(readItem))
  }

  /**
   * Returns whether the condition was met. A put whose answer was lost is sent again and fails its condition. The version then shows
   * that it succeeded.
   */
  const put = async (write: PreparedWrite & { readonly kind: 'put' }): Promise<boolean> => {
    const command = { TableName: tableOf(write.collection), ...conditionOf(write), Item: await itemOf(write) }
    let sendings = 0
    try {
      await dynamo.ask((client, options) => {
        sendings += 1
        return client.send(new PutItemCommand(command), options)
      })
      return true
    } catch (fault) {
      if (!isConditionMissed(fault)) throw fault
      return (sendings > 1 || wasRepeated(fault)) && (await find(write))?.version?.S === write.version
    }
  }

  const toTransactItem = async (write: PreparedWrite): Promise<TransactWriteItem> => {
    const target = { TableName: tableOf(write.collection), ...conditionOf(write) }
    if (write.kind === 'put') return { Put: { ...target, Item: await itemOf(write) } }
    if (write.kind === 'delete') return { Delete: { ...target, Key: keyOf(write) } }
    // A check without a condition always succeeds, but DynamoDB needs one.
    const ConditionExpression = target.ConditionExpression ?? 'attribute_exists(pk) OR attribute_not_exists(pk)'
    return { ConditionCheck: { ...target, ConditionExpression, Key: keyOf(write) } }
  }

  /** A transaction, so that it is recognized if its answer is lost: a deletion leaves no version to compare. */
  const deleteOne = async (write: PreparedWrite): Promise<readonly boolean[] | undefined> => {
    const { ifVersion } = write
    const condition = ifVersion === undefined ? { ConditionExpression: 'attribute_exists(pk)' } : conditionOf(write)
    const target = { TableName: tableOf(write.collection), Key: keyOf(write) }
    const isDone = await transact(dynamo, [{ Delete: { ...target, ...condition } }])
    if (ifVersion === undefined) return [isDone]
    return isDone ? [ifVersion !== null] : undefined
  }

  const applyOne = async (write: PreparedWrite): Promise<readonly boolean[] | undefined> => {
    if (write.kind === 'put') return (await put(write)) ? [false] : undefined
    if (write.kind === 'delete') return deleteOne(write)
    const current = await find(write)
    return meetsPrecondition(write, current?.version?.S) ? [current !== undefined] : undefined
  }

  const apply = async (writes: readonly PreparedWrite[]): Promise<readonly boolean[] | undefined> => {
    const [only] = writes
    if (only !== undefined && writes.length === 1) return applyOne(only)
    const items = await Promise.all(writes.map(toTransactItem))
    return (await transact(dynamo, items)) ? writes.map(() => false) : undefined
  }

  return createRecordStore({
    newVersion: () => ids.uuid(),
    read: async (collection, id) => {
      const item = await find({ collection, id })
      return item && readItem(item)
    },
    readRange,
    apply,
    close: async () => undefined,
  })
}
