import { createDynamoChunkStore } from '../../../shared/domain/worlds/store/dynamodb/chunk-store-dynamodb.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createDynamo } from '../../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import { silentLog } from '../time/silent-log.ts'
import { rewrittenColumns, rewrittenWorld } from './rewritten-columns.ts'

/**
 * `<endpoint> <table prefix> <fence> <first>`: writes the same columns without end, numbered from `first` on; prints the number
 * of each write.
 */
const run = async (): Promise<void> => {
  const [endpoint = '', tablePrefix = '', fence = '', first = ''] = process.argv.slice(2)
  const dynamo = createDynamo({ target: { endpoint, tablePrefix, region: 'us-east-1' }, ids: systemIds, log: silentLog })
  const store = createDynamoChunkStore({ dynamo, ids: systemIds })

  for (let n = Number(first); ; n += 1) {
    await store.putMany(rewrittenWorld, rewrittenColumns(n), Number(fence))
    process.stdout.write(`${n}\n`)
  }
}

export const main = run()
