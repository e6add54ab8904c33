import { afterAll, beforeAll } from '@jest/globals'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../../shared/storage/dynamodb/dynamodb-store.ts'
import { describeStore } from '../../../contracts/store-contract.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../support/dynamodb/dynamodb.ts'

describeDynamo('on DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  describeStore('in DynamoDB', async () => {
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
