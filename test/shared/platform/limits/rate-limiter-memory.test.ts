import { createMemoryRateLimiter } from '../../../../shared/platform/limits/rate-limiter.ts'
import { rateLimiterContract } from '../../../contracts/rate-limiter-contract.ts'

rateLimiterContract('memory', async () => {
  const limiter = createMemoryRateLimiter()
  return { limiter, close: () => limiter.close() }
})
