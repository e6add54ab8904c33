/** The tables of Gatehouse in DynamoDB. Accounts and configs have their own, so that a function's role can be kept from password hashes. */
export const dynamoTables = ['records', 'accounts', 'configs', 'chunks'] as const
export type DynamoTable = (typeof dynamoTables)[number]

/** The keys of every table, both of them text: `pk` names what lies together, `sk` orders it by its UTF-8 bytes. */
export const dynamoKeys = { partition: 'pk', sort: 'sk' } as const

/** The table that holds a collection of records. */
export const tableOfCollection = (collection: string): DynamoTable => {
  if (/^accounts?(-|$)/.test(collection)) return 'accounts'
  return /^configs?(-|$)/.test(collection) ? 'configs' : 'records'
}

/** What creates a table, for the client of `@aws-sdk/client-dynamodb`: on demand, nothing indexed besides the keys. */
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
