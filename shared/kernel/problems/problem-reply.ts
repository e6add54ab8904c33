import { AppError, type ErrorKind, type Fault } from '../errors.ts'
import { type ProblemSlug, problems } from './problems.ts'

/** The body of every error response (RFC 9457). */
type Problem = {
  readonly type: `/problems/${ProblemSlug}`
  readonly title: string
  readonly status: number
  readonly detail: string
  /** The path of the request, without its query. */
  readonly instance: string
  readonly errors?: readonly Fault[]
  /** Extra members of problems of one slug. */
  readonly [member: string]: unknown
}

/** An error as an HTTP response. */
export type ProblemReply = {
  readonly slug: ProblemSlug
  readonly problem: Problem
  readonly headers: Readonly<Record<string, string>>
}

const statusByKind: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  stale: 412,
  'too-large': 413,
  unprocessable: 422,
  limited: 429,
  unavailable: 503,
}

/** Faults of HTTP itself, which have no kind in the domain. */
const statusBySlug: Readonly<Partial<Record<ProblemSlug, number>>> = {
  'method-not-allowed': 405,
  'request-timeout': 408,
  'unsupported-media-type': 415,
  'misdirected-request': 421,
  'upgrade-required': 426,
  'head-too-large': 431,
}

const retryAfterDefaultSeconds = 2

const headersFor = (status: number, { retryAfterSeconds }: AppError): Readonly<Record<string, string>> => {
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' }
  if (status === 426) return { Upgrade: 'websocket', Connection: 'Upgrade' }
  if (status !== 429 && status !== 503) return {}
  return { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds ?? retryAfterDefaultSeconds))) }
}

/** The HTTP status for an error of this kind and slug. */
const statusOf = (kind: ErrorKind, slug: ProblemSlug): number => statusBySlug[slug] ?? statusByKind[kind]

/** The response for `error`. Includes the public part of an AppError, and nothing of other errors. */
export const createProblemReply = (error: unknown, instance: string): ProblemReply => {
  const isAppError = error instanceof AppError
  const slug = isAppError ? error.slug : 'internal-error'
  const status = isAppError ? statusOf(error.kind, error.slug) : 500
  const problem: Problem = {
    type: `/problems/${slug}`,
    title: problems[slug].title,
    status,
    detail: isAppError ? error.publicDetail : problems[slug].help,
    instance,
    ...(isAppError ? error.members : {}),
    ...(isAppError && error.errors !== undefined ? { errors: error.errors } : {}),
  }
  return { slug, problem, headers: isAppError ? headersFor(status, error) : {} }
}
