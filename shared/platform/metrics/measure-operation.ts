import type { Clock } from '../../kernel/clock.ts'
import type { MeasuredPort, OperationOf, ServiceMetrics } from './service-metrics.ts'

export type MeasureDeps = {
  readonly metrics: Pick<ServiceMetrics, 'observeOperation'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Runs an operation of `port` and records its duration and fault. Throws the same fault. */
export const createMeasure = <P extends MeasuredPort>(port: P, { metrics, clock }: MeasureDeps) => {
  return async <T>(operation: OperationOf<P>, run: () => Promise<T>): Promise<T> => {
    const startedMs = clock.monotonic()
    const tell = (fault?: unknown): void =>
      metrics.observeOperation(port, operation, (clock.monotonic() - startedMs) / 1000, fault)
    try {
      const result = await run()
      tell()
      return result
    } catch (fault) {
      tell(fault)
      throw fault
    }
  }
}
