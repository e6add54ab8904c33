import { afterAll, beforeAll } from '@jest/globals'
import { createRecordTokenStore } from '../../../../shared/domain/tokens/records/record-token-store.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { tokenStoreContract } from '../../../contracts/token-store-contract.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../support/dynamodb/dynamodb.ts'

describeDynamo('on DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  tokenStoreContract(
    'records in DynamoDB',
    async (clock) => {
      const dynamo = await openDynamo(server.endpoint)
      const store = createDynamoStore({ dynamo, ids: systemIds })
      return {
        store: createRecordTokenStore({ store, clock, ids: systemIds }),
        close: async () => {
          await store.close()
          dynamo.close()
        },
      }
    },
    { isBrief: true },
  )
})
