import type { Clock } from '../../kernel/clock.ts'
import { noTracing, type Tracing } from '../../kernel/tracing.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'

/**
 * Observes calls of external services. Called with the name of an operation; returns a function to call at its end, with the fault if
 * there was one.
 */
export type CallWatch = (operation: string, tables?: readonly string[]) => (fault?: unknown) => void

export type CallWatchDeps = {
  readonly metrics: ServiceMetrics
  readonly tracing: Tracing
  readonly clock: Pick<Clock, 'monotonic'>
}

/** The name of a fault's class, because its text may contain anything. */
const typeOf = (fault: unknown): string => (fault instanceof Error ? fault.name : 'unknown')

/** Observes Redis commands. */
export const watchRedis = ({ metrics, tracing, clock }: CallWatchDeps): CallWatch => {
  return (command) => {
    const startedMs = clock.monotonic()
    const span = tracing.call(command, { 'db.system.name': 'redis', 'db.operation.name': command })
    return (fault) => {
      metrics.observeRedisCommand(command, (clock.monotonic() - startedMs) / 1000, fault)
      if (fault !== undefined) span?.fail(typeOf(fault))
      span?.end()
    }
  }
}

/** DynamoDB's errors for unmet conditions. These are normal answers. */
const answers = new Set(['ConditionalCheckFailedException', 'TransactionCanceledException'])

/** Observes requests to DynamoDB. Traces only, because the ports above are measured. */
export const watchDynamo = ({ tracing }: Pick<CallWatchDeps, 'tracing'>): CallWatch | undefined => {
  if (tracing === noTracing) return undefined
  return (operation, tables = []) => {
    const [table] = tables
    const span = tracing.call(table === undefined ? operation : `${operation} ${tables.join(',')}`, {
      'db.system.name': 'aws.dynamodb',
      'db.operation.name': operation,
      ...(table !== undefined && { 'db.collection.name': tables.join(',') }),
    })
    return (fault) => {
      if (fault !== undefined && !answers.has(typeOf(fault))) span?.fail(typeOf(fault))
      span?.end()
    }
  }
}
