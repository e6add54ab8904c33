import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { addressBlockOf } from '../../platform/limits/address-block.ts'
import type { RateDecision, RateLimiter } from '../../platform/limits/rate-limiter.ts'
import type { Account } from '../accounts/account.ts'
import type { FailedSignInLog, FailedSignIns } from '../accounts/failed-sign-ins.ts'
import type { AccountStore } from '../accounts/store/account-store.ts'
import { createAuditEntry } from '../audit/audit-entry.ts'
import type { AuditLog } from '../audit/audit-log.ts'
import type { AttemptKind, SignInDeps } from './sign-in.ts'

/**
 * A sign-in meets four limits, in this order:
 * 1. All requests of an address without a sign-in (`functions/http/request/limit-requests.ts`).
 * 2. Sign-ins of an address, and of an address with an email (`createSignInLimits`). A route names the first with `countedAs`, and
 *    `functions/http/mount.ts` counts it before it reads the body.
 * 3. Wrong passwords of an account from all addresses (`createAccountGuesses`).
 * 4. Passwords that wait to be hashed, of one address and of all (`shared/domain/passwords/passwords.ts`).
 */
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

const failuresMax = 30
const failures = { max: failuresMax, perSeconds: 600 }
const reports = { max: 1, perSeconds: 3600 }

type AccountGuessesDeps = {
  readonly accountStore: Pick<AccountStore, 'findByEmail'>
  readonly failedSignIns: FailedSignInLog
  readonly limiter: Pick<RateLimiter, 'consume'>
  readonly audit: Pick<AuditLog, 'append'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Pick<Log, 'warn'>
}

/** An attempt to sign in with a password. End it with exactly one of the methods. */
type Guess = {
  /** The password matched. Returns the failures since the previous verified sign-in, if any. */
  right(account: Pick<Account, 'playerId'>): Promise<FailedSignIns | undefined>
  wrong(): Promise<void>
  /** The password was not checked, or matched but does not count as a sign-in. */
  drop(): Promise<void>
}

/** Begins an attempt from `address`. Throws `limited` if the account has too many failures and has never signed in from there. */
export type BeginGuess = (email: string, origin: { readonly address: string; readonly requestId: string }) => Promise<Guess>

/**
 * Counts wrong passwords of an account from all addresses. After 30 in ten minutes, only address blocks that it has signed in from before
 * may continue. Unknown emails are counted, refused and stored alike, so that nothing reveals whether an email has an account.
 */
export const createAccountGuesses = (deps: AccountGuessesDeps): BeginGuess => {
  const { accountStore, failedSignIns, limiter, audit, clock, ids, log } = deps

  /** A sign-in does not fail because its record could not be written. */
  const noted = <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      log.warn({ err: error }, 'could not record a failed or verified sign-in')
      return undefined
    })

  const report = async (account: Account | undefined, email: string, requestId: string): Promise<void> => {
    if (!(await limiter.consume('account-guessed', email, reports)).allowed) return
    if (account === undefined) return failedSignIns.noteFailure({ email })
    const system = { email: 'system', via: 'http', requestId } as const
    const after = { failures: failuresMax, seconds: failures.perSeconds }
    await audit.append([
      createAuditEntry({ clock, ids }, system, { action: 'account.guessed', target: email, before: null, after }),
    ])
  }

  return async (email, { address, requestId }) => {
    const block = addressBlockOf(address)
    // Count before the attempt, so that concurrent attempts cannot exceed the limit.
    const decision = await limiter.consume('account-failures', email, failures)
    if (!decision.allowed) {
      const account = await accountStore.findByEmail(email)
      await noted(report(account, email, requestId))
      if (!(await failedSignIns.isKnown({ email, playerId: account?.playerId }, block)))
        throw new AppError(
          'limited',
          'too-many-requests',
          'Too many wrong passwords for this account. Wait for the time in `Retry-After`, or sign in from a network that you have used before.',
          { retryAfterSeconds: decision.retryAfterSeconds },
        )
    }
    const drop = async (): Promise<void> => {
      await limiter.consume('account-failures', email, failures, -1)
    }
    return {
      drop,
      right: async ({ playerId }) => {
        await drop()
        const failed = await noted(failedSignIns.noteSuccess(playerId, block))
        return failed?.count === 0 ? undefined : failed
      },
      wrong: async () => {
        const account = await accountStore.findByEmail(email)
        const playerId = account?.passwordHash === undefined ? undefined : account.playerId
        await noted(failedSignIns.noteFailure({ email, playerId }))
      },
    }
  }
}
