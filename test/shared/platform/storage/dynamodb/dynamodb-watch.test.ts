import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createDynamo } from '../../../../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import { createDynamoStore } from '../../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { putWrite } from '../../../../../shared/platform/storage/store.ts'
import {
  createTestTarget,
  type DynamoServer,
  describeDynamo,
  openDynamo,
  openDynamoForTests,
} from '../../../../support/dynamodb/dynamodb.ts'
import { counters } from '../../../../support/storage/counter-collection.ts'
import { silentLog } from '../../../../support/time/silent-log.ts'

describeDynamo('a watcher of the requests to DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  it('receives the operation, its tables and its error, never a key or a value', async () => {
    const target = createTestTarget(server.endpoint)
    await openDynamo(server.endpoint, { target }).then(({ close }) => close())
    const observed: unknown[] = []
    const watch = (operation: string, tables?: readonly string[]) => (fault?: unknown) =>
      void observed.push([operation, tables, fault instanceof Error ? fault.name : fault])
    const dynamo = createDynamo({ target, ids: systemIds, log: silentLog, watch })
    const store = createDynamoStore({ dynamo, ids: systemIds })
    await store.put(counters, 'one', { n: 1 })
    await store.get(counters, 'one')
    await store.commit([putWrite(counters, 'two', { n: 1 }), putWrite(counters, 'three', { n: 1 })])
    await expect(store.put(counters, 'one', { n: 2 }, { ifVersion: null })).rejects.toMatchObject({ kind: 'conflict' })
    const table = [dynamo.tableName('records')]
    expect(observed).toEqual([
      ['PutItem', table, undefined],
      ['GetItem', table, undefined],
      ['TransactWriteItems', table, undefined],
      ['PutItem', table, 'ConditionalCheckFailedException'],
    ])
    expect(JSON.stringify(observed)).not.toContain('one')
    dynamo.close()
  })
})
