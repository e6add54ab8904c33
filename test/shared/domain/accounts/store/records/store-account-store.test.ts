import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createStoreAccountStore } from '../../../../../../shared/domain/accounts/store/records/record-account-store.ts'
import { systemIds } from '../../../../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { createMemoryStore } from '../../../../../../shared/platform/storage/memory-store.ts'
import { describeAccountStore } from '../../../../../contracts/account-store-contract.ts'
import { isInAdmin, makeAccount } from '../../../../../support/accounts/stored-accounts.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../../../support/dynamodb/dynamodb.ts'
import { createSwitchedStore } from '../../../../../support/storage/switched-store.ts'

describeAccountStore('in a store in memory', async ({ isAdministrator }) => {
  const { store, audit } = createSwitchedStore(createMemoryStore())
  const accounts = createStoreAccountStore({ store, isAdministrator })
  return { store: accounts, audit, dispose: () => accounts.close() }
})

it('finds, changes and moves an account stored before domains were normalized', async () => {
  const accounts = createStoreAccountStore({ store: createMemoryStore(), isAdministrator: isInAdmin })
  const old = makeAccount('ann@münchen.de')
  await accounts.change(old.email, () => ({ next: old, result: undefined }))
  const email = 'ann@xn--mnchen-3ya.de'
  expect(await accounts.findByEmail(email)).toEqual(old)
  await accounts.change(email, (current) => ({ next: current && { ...current, groups: ['x'] }, result: undefined }))
  expect(await accounts.findByEmail(email)).toEqual({ ...old, groups: ['x'] })
  expect((await accounts.listAccounts({ limit: 10 })).accounts).toHaveLength(1)
  await accounts.move(email, email, (current) => ({ next: current && { ...current, email }, result: undefined }))
  expect(await accounts.findByPlayerId(old.playerId)).toEqual({ ...old, email, groups: ['x'] })
  await accounts.close()
})

describeDynamo('on DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  describeAccountStore(
    'in a store in DynamoDB',
    async ({ isAdministrator }) => {
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
    },
    { isBrief: true },
  )
})
