import { afterAll, beforeAll } from '@jest/globals'
import { createStoreAccountStore } from '../../../../../shared/accounts/store/records/record-account-store.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../../../shared/storage/dynamodb/dynamodb-store.ts'
import { createMemoryStore } from '../../../../../shared/storage/memory-store.ts'
import { describeAccountStore } from '../../../../contracts/account-store-contract.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../../support/dynamodb/dynamodb.ts'
import { createSwitchedStore } from '../../../../support/storage/switched-store.ts'

describeAccountStore('in a store in memory', async ({ isAdministrator }) => {
  const { store, audit } = createSwitchedStore(createMemoryStore())
  const accounts = createStoreAccountStore({ store, isAdministrator })
  return { store: accounts, audit, dispose: () => accounts.close() }
})

describeDynamo('on DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  describeAccountStore('in a store in DynamoDB', async ({ isAdministrator }) => {
    const dynamo = await openDynamo(server.endpoint)
    const { store, audit } = createSwitchedStore(createDynamoStore({ dynamo, ids: systemIds }))
    const accounts = createStoreAccountStore({ store, isAdministrator })
    return {
      store: accounts,
      audit,
      dispose: async () => {
        await accounts.close()
        dynamo.close()
      },
    }
  })
})
