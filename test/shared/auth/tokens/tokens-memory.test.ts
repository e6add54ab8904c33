import { createMemoryTokenStore } from '../../../../shared/auth/tokens/tokens-memory.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { tokenStoreContract } from '../../../contracts/token-store-contract.ts'

tokenStoreContract('memory', async (clock) => {
  const store = createMemoryTokenStore({ clock, ids: systemIds })
  return { store, close: () => store.close() }
})
