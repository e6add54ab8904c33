import { CreateTableCommand, type DynamoDBClient, ResourceInUseException, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import { describeDynamoTable, dynamoTables } from '../../shared/platform/storage/dynamodb/dynamodb-tables.ts'

const activeWithinSeconds = 60

/** Resolves to true if the table is new, false if it exists already. */
const createTable = async (client: DynamoDBClient, name: string): Promise<boolean> => {
  try {
    await client.send(new CreateTableCommand(describeDynamoTable(name)))
    return true
  } catch (fault) {
    if (fault instanceof ResourceInUseException) return false
    throw fault
  }
}

/** Creates missing tables and waits until all can be used. Returns the names, and whether each is new. */
export const createTables = (
  client: DynamoDBClient,
  tablePrefix: string,
): Promise<readonly { readonly name: string; readonly isNew: boolean }[]> =>
  Promise.all(
    dynamoTables.map(async (table) => {
      const name = tablePrefix + table
      const isNew = await createTable(client, name)
      await waitUntilTableExists({ client, maxWaitTime: activeWithinSeconds, minDelay: 1, maxDelay: 2 }, { TableName: name })
      return { name, isNew }
    }),
  )
