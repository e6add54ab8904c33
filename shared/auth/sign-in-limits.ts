import { AppError } from '../kernel/errors.ts'
import type { RateDecision } from '../limits/rate-limiter.ts'
import type { SignInDeps } from './sign-in-deps.ts'

const perMinute = (max: number) => ({ max, perSeconds: 60 })

const refuseBeyondLimit = (decisions: readonly RateDecision[]): void => {
  const waits = decisions.flatMap((decision) => (decision.allowed ? [] : [decision.retryAfterSeconds]))
  if (waits.length === 0) return
  throw new AppError('limited', 'too-many-requests', 'Too many sign-ins; wait for as long as `Retry-After` says.', {
    retryAfterSeconds: Math.max(...waits),
  })
}

/** The limits of `http.rateLimits` in force, counted for an attempt before anything is looked up or hashed; each throws `limited`. */
export const createSignInLimits = ({ limiter, configs }: Pick<SignInDeps, 'limiter' | 'configs'>) => {
  const limits = () => configs.get('server.yaml').http.rateLimits
  const countAddress = (address: string) =>
    limiter.consume('sign-in-address', address, perMinute(limits().signInPerMinutePerAddress))
  return {
    countLogin: async (address: string, email: string): Promise<void> => {
      const pair = limiter.consume('sign-in-account', `${address} ${email}`, perMinute(limits().signInPerMinutePerAccount))
      refuseBeyondLimit(await Promise.all([countAddress(address), pair]))
    },
    countClaim: async (address: string): Promise<void> => refuseBeyondLimit([await countAddress(address)]),
  }
}
