import { afterAll, beforeAll } from '@jest/globals'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { createLmdbStore } from '../../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createMemoryStore } from '../../../../../shared/platform/storage/memory-store.ts'
import { describeModuleData } from '../../../../contracts/module-data-contract.ts'
import { describeModuleWrites } from '../../../../contracts/module-writes-contract.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../../support/dynamodb/dynamodb.ts'
import { createTempDir } from '../../../../support/processes/temp-dir.ts'

const openMemory = async () => {
  const store = createMemoryStore()
  return { store, dispose: () => store.close() }
}

const openLmdb = async () => {
  const dir = await createTempDir()
  const store = createLmdbStore({ path: dir.path, ids: systemIds })
  return {
    store,
    dispose: async () => {
      await store.close()
      await dir.remove()
    },
  }
}

for (const describeOn of [describeModuleData, describeModuleWrites]) {
  describeOn('in memory', openMemory)
  describeOn('in LMDB', openLmdb)
}

describeDynamo('values of modules on DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  for (const describeOn of [describeModuleData, describeModuleWrites])
    describeOn('in DynamoDB', async () => {
      const dynamo = await openDynamo(server.endpoint)
      const store = createDynamoStore({ dynamo, ids: systemIds })
      return {
        store,
        dispose: async () => {
          await store.close()
          dynamo.close()
        },
      }
    })
})
