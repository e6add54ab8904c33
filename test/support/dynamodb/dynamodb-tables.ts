import { systemIds } from '../../../shared/kernel/ids.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { createDynamo, type Dynamo, type DynamoPatience } from '../../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import type { DynamoTarget } from '../../../shared/platform/storage/dynamodb/dynamodb-target.ts'
import { createTables } from '../../../tools/tables/create-tables.ts'
import { silentLog } from '../time/silent-log.ts'

/** Tables of a test under unique names. */
export const createTestTarget = (endpoint: string): DynamoTarget => ({
  endpoint,
  region: 'us-east-1',
  tablePrefix: `gatehouse-test-${systemIds.uuid()}-`,
})

type OpenDynamoOptions = DynamoPatience & { readonly target?: DynamoTarget; readonly log?: Log }

const longPatience = { patienceMs: 30_000, answerMs: 30_000 }

/**
 * Returns a client with empty tables; pass a target to share tables. It waits long, because the machine of a test may be busy.
 */
export const openDynamo = async (
  endpoint: string,
  { target = createTestTarget(endpoint), log = silentLog, ...patience }: OpenDynamoOptions = {},
): Promise<Dynamo & { readonly target: DynamoTarget }> => {
  const dynamo = createDynamo({ target, ids: systemIds, log, ...longPatience, ...patience })
  await dynamo.ask((client) => createTables(client, target.tablePrefix))
  return { ...dynamo, target }
}
