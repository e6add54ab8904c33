// The permissions of each function on each table. A test runs every operation of every function and compares. Every function
// reads configs as it starts, and accounts and records to authenticate callers.
const read = ['dynamodb:GetItem', 'dynamodb:Query']
const readColumns = [...read, 'dynamodb:BatchGetItem']
const write = [...read, 'dynamodb:PutItem', 'dynamodb:DeleteItem']
/** A write that does not change an account verifies that together with its audit entry. */
const writeAccounts = [...write, 'dynamodb:ConditionCheckItem']

/** By function and table. */
export const access = {
  service: { accounts: read, configs: read, records: read },
  auth: { accounts: writeAccounts, configs: read, records: write },
  // An undo can write all data that other functions write.
  accounts: { accounts: writeAccounts, configs: write, records: write, chunks: readColumns },
  worlds: { accounts: read, configs: read, records: write, chunks: readColumns },
  zones: { accounts: read, configs: read, records: write, chunks: readColumns },
  configs: { accounts: read, configs: write, records: write },
  classes: { accounts: read, configs: read, records: read },
  streams: { accounts: read, configs: read, records: read, chunks: readColumns },
}

/** The real-time node. Only it writes columns. In configs it writes only the count of `/reload` calls. */
export const nodeAccess = {
  accounts: writeAccounts,
  configs: [...read, 'dynamodb:PutItem'],
  records: write,
  chunks: [...readColumns, 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
}
