import { setTimeout as sleep } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Ids } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import type { CallWatch } from '../../tracing/call-watch.ts'
import { describeDynamoFault, isConditionMissed, isContended, toUnavailable } from './dynamodb-fault.ts'
import { type Backoff, createBackoff, createRetryStrategy } from './dynamodb-retry.ts'
import type { DynamoTable } from './dynamodb-tables.ts'
import { type DynamoTarget, isStandIn } from './dynamodb-target.ts'
import { watchRequests } from './dynamodb-watch.ts'

/** What a request is sent with: it ends the request, and with it the SDK's repetitions, when time is up. */
export type SendOptions = { readonly abortSignal: AbortSignal }

/** Sends one request, once or several times in turn. */
export type DynamoRequest<T> = (client: DynamoDBClient, options: SendOptions) => Promise<T>

/** A client of DynamoDB with bounds: whatever is wrong, a request ends within 2 s. */
export type Dynamo = {
  tableName(table: DynamoTable): string
  /**
   * Sends a request, again where DynamoDB asks for it. Throws the SDK's error where a condition is missed (`isConditionMissed`), else
   * AppError `unavailable`, to be tried again after a second.
   */
  ask<T>(request: DynamoRequest<T>): Promise<T>
  /** Names a transaction, so that DynamoDB knows it again. */
  newToken(): string
  /** Waits before the nth repetition of a request that was done in part, n from 1; spread at random. */
  pause(attempt: number, options: SendOptions): Promise<void>
  close(): void
}

/** How long a request may take, in milliseconds. */
export type DynamoPatience = {
  /** With all its repetitions; that of the target when absent. */
  readonly patienceMs?: number
  /** Before it is repeated; five ninths of all when absent. */
  readonly answerMs?: number
}

export type DynamoDeps = DynamoPatience & {
  readonly target: DynamoTarget
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
  /** Is told of every request. */
  readonly watch?: CallWatch | undefined
}

const createClient = ({ endpoint, region }: DynamoTarget, backoff: Backoff, answerMs: number): DynamoDBClient =>
  new DynamoDBClient({
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(isStandIn(endpoint) && { credentials: { accessKeyId: 'gatehouse', secretAccessKey: 'gatehouse' } }),
    retryStrategy: createRetryStrategy(backoff),
    // A connection has half of an answer's time: while the loop is held, its timer would else win against what has arrived.
    requestHandler: { connectionTimeout: answerMs / 2, requestTimeout: answerMs, throwOnRequestTimeout: true },
  })

/** For commands of a terminal: what a player would not wait for is better than a task given up half-way. */
export const taskPatience = { patienceMs: 30_000, answerMs: 10_000 } as const

/** A client for the tables of `target`; it connects with the first request. A change between reachable and away is logged once. */
export const createDynamo = ({ target, ids, log, watch, ...patience }: DynamoDeps): Dynamo => {
  const { patienceMs = target.patienceMs ?? 1800, answerMs = (patienceMs * 5) / 9 } = patience
  const backoff = createBackoff(ids)
  const client = createClient(target, backoff, answerMs)
  if (watch !== undefined) watchRequests(client, watch)
  const dynamoLog = log.child({ dynamodb: target.endpoint ?? target.region })
  let isAway = false

  const settle = <T>(answer: T): T => {
    if (isAway) dynamoLog.info({}, 'DynamoDB is reachable again')
    isAway = false
    return answer
  }
  const refuse = (fault: unknown): never => {
    if (!isAway) dynamoLog.warn({ reason: describeDynamoFault(fault) }, 'DynamoDB does not answer; trying with every request')
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
