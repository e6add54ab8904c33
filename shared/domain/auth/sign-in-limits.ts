import { AppError } from '../../kernel/errors.ts'
import { addressBlockOf } from '../../platform/limits/address-block.ts'
import type { RateDecision } from '../../platform/limits/rate-limiter.ts'
import type { AttemptKind, SignInDeps } from './sign-in.ts'

const perMinute = (max: number) => ({ max, perSeconds: 60 })

const refuseBeyondLimit = (decision: RateDecision): void => {
  if (decision.allowed) return
  throw new AppError('limited', 'too-many-requests', 'Too many sign-ins. Wait for the time in `Retry-After`.', {
    retryAfterSeconds: decision.retryAfterSeconds,
  })
}

/** The limits of `http.rateLimits`, counted before any lookup or hash. IPv6 addresses count by their /64. Each method throws `limited`. */
export const createSignInLimits = ({ limiter, configs }: Pick<SignInDeps, 'limiter' | 'configs'>) => {
  const limits = () => configs.get('server.yaml').http.rateLimits
  return {
    countAttempt: async (kind: AttemptKind, address: string): Promise<void> =>
      refuseBeyondLimit(await limiter.consume(kind, addressBlockOf(address), perMinute(limits().signInPerMinutePerAddress))),
    countLogin: async (address: string, email: string): Promise<void> => {
      const pair = perMinute(limits().signInPerMinutePerAccount)
      refuseBeyondLimit(await limiter.consume('sign-in-account', `${addressBlockOf(address)} ${email}`, pair))
    },
  }
}
