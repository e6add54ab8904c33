// What each function may do with each table, and no more: what it may read, and what it may write besides. Every function reads configs as
// it starts, and accounts and records to know who asks.
const read = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query', 'dynamodb:ConditionCheckItem']
const write = [...read, 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']

/** By function and table. */
export const access = {
  service: { accounts: read, configs: read, records: read },
  auth: { accounts: write, configs: read, records: write },
  accounts: { accounts: write, configs: read, records: write },
  worlds: { accounts: read, configs: read, records: write, chunks: read },
  zones: { accounts: read, configs: read, records: write, chunks: read },
  configs: { accounts: read, configs: write, records: write },
  classes: { accounts: read, configs: read, records: read },
  streams: { accounts: read, configs: read, records: read, chunks: read },
}
