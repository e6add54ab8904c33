// What each function may do with each table, and no more; a test asks every function for all it can do, and compares. Every function
// reads configs as it starts, and accounts and records to know who asks.
const read = ['dynamodb:GetItem', 'dynamodb:Query']
const readColumns = [...read, 'dynamodb:BatchGetItem']
const write = [...read, 'dynamodb:PutItem', 'dynamodb:DeleteItem']
/** A change that leaves an account as it is makes sure of that with its audit entry. */
const writeAccounts = [...write, 'dynamodb:ConditionCheckItem']

/** By function and table. */
export const access = {
  service: { accounts: read, configs: read, records: read },
  auth: { accounts: writeAccounts, configs: read, records: write },
  // Undo writes what others write.
  accounts: { accounts: writeAccounts, configs: write, records: write, chunks: readColumns },
  worlds: { accounts: read, configs: read, records: write, chunks: readColumns },
  zones: { accounts: read, configs: read, records: write, chunks: readColumns },
  configs: { accounts: read, configs: write, records: write },
  classes: { accounts: read, configs: read, records: read },
  streams: { accounts: read, configs: read, records: read, chunks: readColumns },
}

/** The real-time node, which alone writes columns; of configs it writes how often `/reload` was asked for. */
export const nodeAccess = {
  accounts: writeAccounts,
  configs: [...read, 'dynamodb:PutItem'],
  records: write,
  chunks: [...readColumns, 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
}
