import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { CallWatch } from '../../tracing/call-watch.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** The items of a transaction say what they are: `{Put: {TableName}}`. */
const tablesOfItem = (item: unknown): unknown[] =>
  isObject(item) ? Object.values(item).map((part) => (isObject(part) ? part.TableName : undefined)) : []

/** The tables that a request is about, each once and sorted; nothing else of it is looked at. */
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

/** Tells `watch` of every request of `client` by its operation and tables, the SDK's repetitions included. */
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
