import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { Dynamo } from './dynamodb-client.ts'
import type { Item } from './dynamodb-text.ts'

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
