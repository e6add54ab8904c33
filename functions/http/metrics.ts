import type { ProblemSlug } from '../../shared/kernel/problems/problems.ts'

/** Metrics of the HTTP server. Label values come from route declarations and from the list of problems, never from requests. */
export type HttpMetrics = {
  observe(request: { readonly method: string; readonly path: string; readonly status: number; readonly seconds: number }): void
  /** A request was answered with a problem. */
  countProblem(slug: ProblemSlug): void
}

export const noHttpMetrics: HttpMetrics = { observe: () => {}, countProblem: () => {} }
