/** What serverless.yml fills in by stage. */
const param = (name) => `\${param:${name}}`

const capitalised = (name) => name.charAt(0).toUpperCase() + name.slice(1)

/** What shared/platform/storage/dynamodb/dynamodb-tables.ts creates elsewhere, and what only AWS has: backups to the second, encryption, expiry. A test holds the two together. */
const createTable = (name) => ({
  Type: 'AWS::DynamoDB::Table',
  DeletionPolicy: param('removal'),
  UpdateReplacePolicy: param('removal'),
  Properties: {
    TableName: `\${self:service}-\${sls:stage}-${name}`,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    SSESpecification: { SSEEnabled: true },
    // Nothing that is kept here goes by its age today (tokens do, in Redis): a record that comes to says when in this attribute.
    TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    DeletionProtectionEnabled: param('keepTables'),
  },
})

/** The tables of Gatehouse. */
export const tables = {
  Resources: Object.fromEntries(
    ['records', 'accounts', 'configs', 'chunks'].map((name) => [`${capitalised(name)}Table`, createTable(name)]),
  ),
}
