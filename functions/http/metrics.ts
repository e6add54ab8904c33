import { Counter, Histogram, Registry } from 'prom-client'
import { type ProblemSlug, problems } from '../../shared/kernel/problems/problems.ts'
import { knownMethod } from './request/trace-request.ts'

/** `path` is the pattern of a route. */
type AnsweredRequest = { readonly method: string; readonly path: string; readonly status: number; readonly seconds: number }

/** Counts requests by route, method and status, and problems by slug, in `registry`. Clients cannot create new label values. */
export const createHttpMetrics = (registry = new Registry()) => {
  const durations = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time from the request to its answer, by route.',
    labelNames: ['method', 'path', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'gatehouse_http_problems_total',
    help: 'Requests that were answered with a problem, by its slug (docs/errors.md).',
    labelNames: ['slug'],
    registers: [registry],
  })
  for (const slug of Object.keys(problems)) refusals.inc({ slug }, 0)
  return {
    observe: ({ method, path, status, seconds }: AnsweredRequest): void =>
      durations.observe({ method: knownMethod(method), path, status }, seconds),
    /** A request was answered with a problem. */
    countProblem: (slug: ProblemSlug): void => refusals.inc({ slug }),
  }
}

export type HttpMetrics = ReturnType<typeof createHttpMetrics>
