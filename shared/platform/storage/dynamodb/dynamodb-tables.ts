/**
 * The tables of Gatehouse in DynamoDB. Accounts and configs have their own, so that a function's role can be denied access to password
 * hashes.
 */
export const dynamoTables = ['records', 'accounts', 'configs', 'chunks'] as const
export type DynamoTable = (typeof dynamoTables)[number]

/** The keys of every table, both text. `pk` groups items, `sk` sorts them by its UTF-8 bytes. */
export const dynamoKeys = { partition: 'pk', sort: 'sk' } as const

/** The table of a collection of records. */
export const tableOfCollection = (collection: string): DynamoTable => {
  if (/^accounts?(-|$)/.test(collection)) return 'accounts'
  return /^configs?(-|$)/.test(collection) ? 'configs' : 'records'
}

/** The input that creates a table, for `@aws-sdk/client-dynamodb`: billed on demand, without indexes besides the keys. */
export const describeDynamoTable = (name: string) => ({
  TableName: name,
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: [
    { AttributeName: dynamoKeys.partition, AttributeType: 'S' as const },
    { AttributeName: dynamoKeys.sort, AttributeType: 'S' as const },
  ],
  KeySchema: [
    { AttributeName: dynamoKeys.partition, KeyType: 'HASH' as const },
    { AttributeName: dynamoKeys.sort, KeyType: 'RANGE' as const },
  ],
})
