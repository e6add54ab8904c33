import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { Ids } from '../../../kernel/ids.ts'

type RetryStrategy = Exclude<NonNullable<DynamoDBClientConfig['retryStrategy']>, { retry: unknown }>

/** Milliseconds before the nth retry, n from 1. */
export type Backoff = (repetition: number) => number

/** As many as fit into the time of a request, because DynamoDB asks to wait. */
const throttledMax = 12
/** A server that is away will not be back within the time of a request. */
const transientMax = 3

/** Doubles from 25 ms up to 400 ms, and randomizes by half, so that colliding requests do not collide again. */
export const createBackoff =
  (ids: Pick<Ids, 'uuid'>): Backoff =>
  (repetition) => {
    const spread = Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32
    return Math.round(Math.min(400, 25 * 2 ** (repetition - 1)) * (0.5 + spread))
  }

/** The SDK's retries. Its default strategy waits for a second and more when throttled, which is the whole time of a request. */
export const createRetryStrategy = (backoff: Backoff): RetryStrategy => {
  const createToken = (count: number, delayMs: number) => ({ getRetryCount: () => count, getRetryDelay: () => delayMs })
  return {
    acquireInitialRetryToken: async () => createToken(0, 0),
    refreshRetryTokenForRetry: async (token, { errorType }) => {
      const repetition = token.getRetryCount() + 1
      const max = { THROTTLING: throttledMax, TRANSIENT: transientMax, SERVER_ERROR: transientMax, CLIENT_ERROR: 0 }[errorType]
      if (repetition > max) throw new Error('not to be repeated')
      return createToken(repetition, backoff(repetition))
    },
    recordSuccess: () => undefined,
  }
}
