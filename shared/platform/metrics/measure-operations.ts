import type { Clock } from '../../kernel/clock.ts'
import { type MeasuredPort, measuredOperations, type OperationOf, type ServiceMetrics } from './service-metrics.ts'

export type MeasureDeps = {
  readonly metrics: Pick<ServiceMetrics, 'observeOperation'>
  readonly clock: Pick<Clock, 'monotonic'>
}

type Operation = (...args: never[]) => Promise<unknown>

/**
 * `adapter` with the duration and fault of each operation of `port` recorded. Its other members stay the same: the time of an iteration
 * depends on the consumer.
 */
export const measureOperations = <P extends MeasuredPort, A extends Record<OperationOf<P>, Operation>>(
  port: P,
  adapter: A,
  { metrics, clock }: MeasureDeps,
): A => {
  const measure = (operation: OperationOf<P>): Operation => {
    return async (...args) => {
      const startedMs = clock.monotonic()
      const record = (fault?: unknown): void =>
        metrics.observeOperation(port, operation, (clock.monotonic() - startedMs) / 1000, fault)
      try {
        const result = await adapter[operation](...args)
        record()
        return result
      } catch (fault) {
        record(fault)
        throw fault
      }
    }
  }
  const operations: readonly OperationOf<P>[] = measuredOperations[port]
  const measured: Record<string, Operation> = Object.fromEntries(operations.map((operation) => [operation, measure(operation)]))
  return { ...adapter, ...measured }
}
