/** A parameter that serverless.yml sets by stage. */
const param = (name) => `\${param:${name}}`

const capitalised = (name) => name.charAt(0).toUpperCase() + name.slice(1)

/**
 * The same tables as shared/platform/storage/dynamodb/dynamodb-tables.ts creates elsewhere, with features of AWS only:
 * point-in-time recovery, encryption, expiry. A test compares both.
 */
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
    // No record expires today (tokens do, in Redis). A record that expires has the time in this attribute.
    TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    DeletionProtectionEnabled: param('keepTables'),
  },
})

export const tables = {
  Resources: Object.fromEntries(
    ['records', 'accounts', 'configs', 'chunks'].map((name) => [`${capitalised(name)}Table`, createTable(name)]),
  ),
}
