import { AppError } from '../../shared/kernel/errors.ts'
import { hashSecret } from '../../shared/kernel/ids.ts'
import type { HttpDeps } from '../deps.ts'

/** Counts one request of `token`; throws `limited`, with the time to wait, above `requestsPerMinutePerToken`. */
export const limitRequests = async (
  { limiter, configs }: Pick<HttpDeps, 'limiter' | 'configs'>,
  token: string,
): Promise<void> => {
  const { requestsPerMinutePerToken } = configs.get('server.yaml').http.rateLimits
  const decision = await limiter.consume('token', hashSecret(token), { max: requestsPerMinutePerToken, perSeconds: 60 })
  if (decision.allowed) return
  throw new AppError('limited', 'too-many-requests', 'Too many requests with this token; wait as long as Retry-After says.', {
    retryAfterSeconds: decision.retryAfterSeconds,
  })
}
