import { setTimeout as sleep } from 'node:timers/promises'
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import type { Ids } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { CallWatch } from '../../tracing/call-watch.ts'
import { describeDynamoFault, isConditionMissed, isContended, toUnavailable } from './dynamodb-fault.ts'
import type { DynamoTable } from './dynamodb-tables.ts'
import { type DynamoTarget, isStandIn } from './dynamodb-target.ts'

/** The options of a request. The signal ends it, including the SDK's retries, at the time limit. */
export type SendOptions = { readonly abortSignal: AbortSignal }

/** Sends one request, once or several times one after another. */
export type DynamoRequest<T> = (client: DynamoDBClient, options: SendOptions) => Promise<T>

/** A client of DynamoDB with time limits. By default a request ends within 2 s, whatever happens. */
export type Dynamo = {
  tableName(table: DynamoTable): string
  /**
   * Sends a request, and repeats it if DynamoDB asks for that. Throws the SDK's error if a condition is not met (`isConditionMissed`),
   * otherwise AppError `unavailable` with a retry after one second.
   */
  ask<T>(request: DynamoRequest<T>): Promise<T>
  /** A token for a transaction, by which DynamoDB recognizes it when it is repeated. */
  newToken(): string
  /** Waits before the nth retry of a partially completed request (n from 1), for a randomized time. */
  pause(attempt: number, options: SendOptions): Promise<void>
  close(): void
}

/** Time limits of a request, in milliseconds. */
export type DynamoPatience = {
  /** Including all retries; that of the target when absent. */
  readonly patienceMs?: number
  /** Before a retry; five ninths of `patienceMs` when absent. */
  readonly answerMs?: number
  /** Repeats requests until the time is over, also while DynamoDB is away. */
  readonly keepsTrying?: boolean
}

export type DynamoDeps = DynamoPatience & {
  readonly target: DynamoTarget
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
  /** Called for every request. */
  readonly watch?: CallWatch | undefined
}

type RetryStrategy = Exclude<NonNullable<DynamoDBClientConfig['retryStrategy']>, { retry: unknown }>

/** Milliseconds before the nth retry, n from 1. */
type Backoff = (repetition: number) => number

/** As many as fit into the time of a request, because DynamoDB asks to wait. */
const throttledMax = 12
/** A server that is away will not be back within the time of a request. */
const transientMax = 3

/** Doubles from 25 ms up to 400 ms, and randomizes by half, so that colliding requests do not collide again. */
const createBackoff =
  (ids: Pick<Ids, 'uuid'>): Backoff =>
  (repetition) => {
    const spread = Number.parseInt(ids.uuid().slice(0, 8), 16) / 2 ** 32
    return Math.round(Math.min(400, 25 * 2 ** (repetition - 1)) * (0.5 + spread))
  }

/** The SDK's retries. Its default strategy waits for a second and more when throttled, which is the whole time of a request. */
const createRetryStrategy = (backoff: Backoff, keepsTrying: boolean): RetryStrategy => {
  const createToken = (count: number, delayMs: number) => ({ getRetryCount: () => count, getRetryDelay: () => delayMs })
  return {
    acquireInitialRetryToken: async () => createToken(0, 0),
    refreshRetryTokenForRetry: async (token, { errorType }) => {
      const repetition = token.getRetryCount() + 1
      const max = { THROTTLING: throttledMax, TRANSIENT: transientMax, SERVER_ERROR: transientMax, CLIENT_ERROR: 0 }[errorType]
      if (errorType === 'CLIENT_ERROR' || (repetition > max && !keepsTrying)) throw new Error('not to be repeated')
      return createToken(repetition, backoff(repetition))
    },
    recordSuccess: () => undefined,
  }
}

const createClient = ({ endpoint, region }: DynamoTarget, retryStrategy: RetryStrategy, answerMs: number): DynamoDBClient =>
  new DynamoDBClient({
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(isStandIn(endpoint) && { credentials: { accessKeyId: 'gatehouse', secretAccessKey: 'gatehouse' } }),
    retryStrategy,
    // Connecting has half of the answer's time. While the event loop is blocked, its timer would otherwise fire before an answer that
    // has already arrived.
    requestHandler: { connectionTimeout: answerMs / 2, requestTimeout: answerMs, throwOnRequestTimeout: true },
  })

/** For command-line tasks, where waiting is better than an unfinished task. */
export const taskPatience = { patienceMs: 30_000, answerMs: 10_000 } as const

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

/** The items of a transaction name their tables: `{Put: {TableName}}`. */
const tablesOfItem = (item: unknown): unknown[] =>
  isObject(item) ? Object.values(item).map((part) => (isObject(part) ? part.TableName : undefined)) : []

/** The tables of a request, sorted and without duplicates. Reads nothing else of it. */
const listTables = (input: unknown): readonly string[] => {
  if (!isObject(input)) return []
  const { TableName, RequestItems, TransactItems } = input
  const named = [
    TableName,
    ...(isObject(RequestItems) ? Object.keys(RequestItems) : []),
    ...(Array.isArray(TransactItems) ? TransactItems.flatMap(tablesOfItem) : []),
  ]
  return [...new Set(named.filter((name) => typeof name === 'string'))].sort()
}

/** Calls `watch` for every request of `client` with its operation and tables, including the SDK's retries. */
const watchRequests = (client: DynamoDBClient, watch: CallWatch): void => {
  client.middlewareStack.add(
    (next, { commandName = 'Unknown' }) =>
      async (request) => {
        const done = watch(commandName.replace(/Command$/, ''), listTables(request.input))
        try {
          const answer = await next(request)
          done()
          return answer
        } catch (fault) {
          done(fault)
          throw fault
        }
      },
    { step: 'initialize', name: 'gatehouseWatch' },
  )
}

/** A client for the tables of `target`, which connects with the first request. Logs changes between reachable and away once. */
export const createDynamo = ({ target, ids, log, watch, ...patience }: DynamoDeps): Dynamo => {
  const { patienceMs = target.patienceMs ?? 1800, answerMs = (patienceMs * 5) / 9, keepsTrying = false } = patience
  const backoff = createBackoff(ids)
  const client = createClient(target, createRetryStrategy(backoff, keepsTrying), answerMs)
  if (watch !== undefined) watchRequests(client, watch)
  const dynamoLog = log.child({ dynamodb: target.endpoint ?? target.region })
  let isAway = false

  const settle = <T>(answer: T): T => {
    if (isAway) dynamoLog.info({}, 'DynamoDB is reachable again')
    isAway = false
    return answer
  }
  const refuse = (fault: unknown): never => {
    if (!isAway) dynamoLog.warn({ reason: describeDynamoFault(fault) }, 'DynamoDB does not answer; retrying with every request')
    isAway = true
    throw toUnavailable(fault)
  }

  const pause = async (attempt: number, { abortSignal }: SendOptions): Promise<void> => {
    await sleep(backoff(attempt), undefined, { signal: abortSignal })
  }

  const ask = async <T>(request: DynamoRequest<T>): Promise<T> => {
    const options = { abortSignal: AbortSignal.timeout(patienceMs) }
    for (let attempt = 1; ; attempt += 1) {
      try {
        return settle(await request(client, options))
      } catch (fault) {
        if (isConditionMissed(fault)) {
          settle(undefined)
          throw fault
        }
        if (!isContended(fault)) refuse(fault)
        await pause(attempt, options).catch(() => refuse(fault))
      }
    }
  }

  return {
    tableName: (table) => target.tablePrefix + table,
    ask,
    pause,
    newToken: () => ids.uuid(),
    close: () => client.destroy(),
  }
}
