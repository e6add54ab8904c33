import { createMemoryAccountStore } from '../../../../../shared/domain/accounts/store/memory-account-store.ts'
import { describeAccountStore } from '../../../../contracts/account-store-contract.ts'

describeAccountStore('in memory', async (deps) => {
  const store = createMemoryAccountStore(deps)
  return { store, dispose: () => store.close() }
})
