import type { Clock } from '../../kernel/clock.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'
import { failSpan, startCall } from './spans.ts'

/**
 * Observes calls of external services. Called with the name of an operation; returns a function to call at its end, with the fault if
 * there was one.
 */
export type CallWatch = (operation: string, tables?: readonly string[]) => (fault?: unknown) => void

export type CallWatchDeps = {
  readonly metrics: Pick<ServiceMetrics, 'observeRedisCommand'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/** The name of a fault's class, because its text may contain anything. */
const typeOf = (fault: unknown): string => (fault instanceof Error ? fault.name : 'unknown')

/** Measures and traces Redis commands. */
export const watchRedis =
  ({ metrics, clock }: CallWatchDeps): CallWatch =>
  (command) => {
    const startedMs = clock.monotonic()
    const span = startCall(command, { 'db.system.name': 'redis', 'db.operation.name': command })
    return (fault) => {
      metrics.observeRedisCommand(command, (clock.monotonic() - startedMs) / 1000, fault)
      if (span !== undefined && fault !== undefined) failSpan(span, typeOf(fault))
      span?.end()
    }
  }

/** DynamoDB's errors for unmet conditions. These are normal answers. */
const answers = new Set(['ConditionalCheckFailedException', 'TransactionCanceledException'])

/** Traces requests to DynamoDB. It measures nothing, because the stores are measured. */
export const traceDynamo: CallWatch = (operation, tables = []) => {
  const [table] = tables
  const span = startCall(table === undefined ? operation : `${operation} ${tables.join(',')}`, {
    'db.system.name': 'aws.dynamodb',
    'db.operation.name': operation,
    ...(table !== undefined && { 'db.collection.name': tables.join(',') }),
  })
  return (fault) => {
    if (span !== undefined && fault !== undefined && !answers.has(typeOf(fault))) failSpan(span, typeOf(fault))
    span?.end()
  }
}
