import type { ProblemSlug } from '../../shared/kernel/problems/problems.ts'

/** What the HTTP half counts; label values come from route declarations and from the list of problems, never from requests. */
export type HttpMetrics = {
  observe(request: { readonly method: string; readonly path: string; readonly status: number; readonly seconds: number }): void
  /** A request was answered with a problem. */
  countProblem(slug: ProblemSlug): void
}

/** Counts nothing. */
export const noHttpMetrics: HttpMetrics = { observe: () => {}, countProblem: () => {} }
