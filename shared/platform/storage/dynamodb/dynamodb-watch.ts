import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { CallWatch } from '../../tracing/call-watch.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** The items of a transaction name their tables: `{Put: {TableName}}`. */
const tablesOfItem = (item: unknown): unknown[] =>
  isObject(item) ? Object.values(item).map((part) => (isObject(part) ? part.TableName : undefined)) : []

/** The tables of a request, sorted and without duplicates. Reads nothing else of it. */
const listTables = (input: unknown): readonly string[] => {
  if (!isObject(input)) return []
  const { TableName, RequestItems, TransactItems } = input
  const named = [
    TableName,
    ...(isObject(RequestItems) ? Object.keys(RequestItems) : []),
    ...(Array.isArray(TransactItems) ? TransactItems.flatMap(tablesOfItem) : []),
  ]
  return [...new Set(named.filter((name) => typeof name === 'string'))].sort()
}

/** Calls `watch` for every request of `client` with its operation and tables, including the SDK's retries. */
export const watchRequests = (client: DynamoDBClient, watch: CallWatch): void => {
  client.middlewareStack.add(
    (next, { commandName = 'Unknown' }) =>
      async (request) => {
        const done = watch(commandName.replace(/Command$/, ''), listTables(request.input))
        try {
          const answer = await next(request)
          done()
          return answer
        } catch (fault) {
          done(fault)
          throw fault
        }
      },
    { step: 'initialize', name: 'gatehouseWatch' },
  )
}
