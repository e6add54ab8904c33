import { afterAll, beforeAll } from '@jest/globals'
import { createDynamoChunkStore } from '../../../../../../shared/domain/worlds/store/dynamodb/chunk-store-dynamodb.ts'
import { systemIds } from '../../../../../../shared/kernel/ids.ts'
import { describeChunkStore } from '../../../../../contracts/chunk-store-contract.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../../../support/dynamodb/dynamodb.ts'

describeDynamo('on DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  describeChunkStore('in DynamoDB', async () => {
    const dynamo = await openDynamo(server.endpoint)
    const store = createDynamoChunkStore({ dynamo, ids: systemIds })
    return {
      store,
      dispose: async () => {
        await store.close()
        dynamo.close()
      },
    }
  })
})
