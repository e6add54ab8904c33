import type { Clock } from '../../kernel/clock.ts'
import { noTracing, type Tracing } from '../../kernel/tracing.ts'
import { noServiceMetrics, type ServiceMetrics } from '../metrics/service-metrics.ts'

/** A service outside is asked for something. It is called with the name of the operation, and returns what to call at the end, with the fault where there was one. */
export type CallWatch = (operation: string, tables?: readonly string[]) => (fault?: unknown) => void

export type CallWatchDeps = {
  readonly metrics: ServiceMetrics
  readonly tracing: Tracing
  readonly clock: Pick<Clock, 'monotonic'>
}

/** The name of a fault's class, of which there are few; its text may hold anything. */
const typeOf = (fault: unknown): string => (fault instanceof Error ? fault.name : 'unknown')

/** Of the commands of Redis; undefined where nobody counts and nobody traces. */
export const watchRedis = ({ metrics, tracing, clock }: CallWatchDeps): CallWatch | undefined => {
  if (metrics === noServiceMetrics && tracing === noTracing) return undefined
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

/** What DynamoDB answers as a part of its work: preconditions that did not hold. */
const answers = new Set(['ConditionalCheckFailedException', 'TransactionCanceledException'])

/** Of the requests to DynamoDB, which are not counted: the ports above are. */
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
