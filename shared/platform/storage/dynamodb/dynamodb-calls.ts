import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  type BatchGetItemCommandOutput,
  type KeysAndAttributes,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import type { Dynamo, SendOptions } from './dynamodb-client.ts'
import { isConditionMissed, wasRepeated } from './dynamodb-fault.ts'
import type { Item } from './dynamodb-text.ts'

/** The two keys of an item. */
export type ItemKey = { readonly pk: string; readonly sk: string }

/** Finds a requested item by its keys. */
export type FoundItems = (key: ItemKey) => Item | undefined

const keysMax = 100
const requestsAtOnce = 8

/** Unique for each key, because `pk` has no NUL. */
const nameOf = ({ pk, sk }: ItemKey): string => `${pk}\0${sk}`

const getOnce = async (dynamo: Dynamo, table: string, request: KeysAndAttributes): Promise<readonly Item[]> =>
  await dynamo.ask(async (client, options: SendOptions) => {
    const items: Item[] = []
    let pending: BatchGetItemCommandInput['RequestItems'] = { [table]: request }
    for (let attempt = 1; ; attempt += 1) {
      const answer: BatchGetItemCommandOutput = await client.send(new BatchGetItemCommand({ RequestItems: pending }), options)
      items.push(...(answer.Responses?.[table] ?? []))
      pending = answer.UnprocessedKeys
      if ((pending?.[table]?.Keys?.length ?? 0) === 0) return items
      await dynamo.pause(attempt, options)
    }
  })

/**
 * Reads items by their keys, strongly consistent, each from its own moment. One round trip for each hundred, eight at a time. With
 * `attributes`, reads only these besides the keys.
 */
export const getItems = async (
  dynamo: Dynamo,
  table: string,
  { keys, attributes }: { readonly keys: readonly ItemKey[]; readonly attributes?: readonly string[] },
): Promise<FoundItems> => {
  const distinct = [...new Map(keys.map((key) => [nameOf(key), key])).values()]
  const projection = attributes && { ProjectionExpression: ['pk', 'sk', ...attributes].join(', ') }
  const found = new Map<string, Item>()
  const getFrom = async (start: number): Promise<void> => {
    const Keys = distinct.slice(start, start + keysMax).map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } }))
    if (Keys.length === 0) return
    const items = await getOnce(dynamo, table, { Keys, ConsistentRead: true, ...projection })
    for (const item of items) found.set(nameOf({ pk: item.pk?.S ?? '', sk: item.sk?.S ?? '' }), item)
  }
  for (let start = 0; start < distinct.length; start += keysMax * requestsAtOnce)
    await Promise.all(Array.from({ length: requestsAtOnce }, (_, n) => getFrom(start + n * keysMax)))
  return (key) => found.get(nameOf(key))
}

/** Items with the same partition key, from one sort key to another, both included. */
export type ItemRange = { readonly pk: string; readonly from: string; readonly to: string }

/** The items of a range in order, strongly consistent. One round trip for each MB, made when needed. */
export const queryItems = async function* (
  dynamo: Dynamo,
  table: string,
  { pk, from, to }: ItemRange,
): AsyncGenerator<readonly Item[]> {
  let start: QueryCommandInput['ExclusiveStartKey']
  do {
    const query: QueryCommandInput = {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: from }, ':to': { S: to } },
      ...(start !== undefined && { ExclusiveStartKey: start }),
    }
    const page: QueryCommandOutput = await dynamo.ask((client, options) => client.send(new QueryCommand(query), options))
    yield page.Items ?? []
    start = page.LastEvaluatedKey
  } while (start !== undefined)
}

/** The maximum number of writes in one transaction. */
export const transactionWritesMax = 10

/**
 * Makes up to 10 writes, all or nothing. Returns whether their conditions were met. While the outcome of an attempt is unknown, it is
 * repeated with the same token. So nothing is written twice, and an earlier success is recognized.
 */
export const transact = async (dynamo: Dynamo, TransactItems: TransactWriteItem[]): Promise<boolean> => {
  let ClientRequestToken = dynamo.newToken()
  let isOpen = false
  try {
    await dynamo.ask(async (client, options) => {
      try {
        return await client.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken }), options)
      } catch (fault) {
        isOpen ||= wasRepeated(fault)
        if (!isOpen) ClientRequestToken = dynamo.newToken()
        throw fault
      }
    })
    return true
  } catch (fault) {
    if (isConditionMissed(fault)) return false
    throw fault
  }
}
