import { createRedisTokenStore } from '../../../../../shared/domain/tokens/redis/tokens-redis.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { tokenStoreContract } from '../../../../contracts/token-store-contract.ts'
import { describeEachRedis } from '../../../../support/redis/redis-suites.ts'

describeEachRedis((name, connect) => {
  tokenStoreContract(name, async (clock) => {
    const redis = connect()
    const store = createRedisTokenStore({ redis, clock, ids: systemIds })
    return {
      store,
      close: async () => {
        await store.close()
        await redis.close()
      },
    }
  })
})
