import type { ProblemSlug } from './problems/problems.ts'

/**
 * The kinds of errors, in terms of the domain. The transports translate them (`shared/kernel/problems/problem-reply.ts`,
 * `realtime/messages/`).
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'stale'
  | 'too-large'
  | 'unprocessable'
  | 'limited'
  | 'unavailable'

/** A fault of an input. Its place is a JSON Pointer into a body, or a line and column (from 1) of a text or of a file. */
export type Fault = {
  readonly file?: string
  readonly pointer?: string
  readonly line?: number
  readonly column?: number
  readonly message: string
}

export type AppErrorOptions = {
  /** The private reason, which is logged and never sent. */
  readonly cause?: unknown
  readonly errors?: readonly Fault[]
  readonly retryAfterSeconds?: number
  /** Public, too: extra members of problems of this slug (RFC 9457, section 3.2). */
  readonly members?: Readonly<Record<string, unknown>>
}

/** The only error that domain code throws. `publicDetail` may be shown to anyone; `cause` goes to the log only. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly kind: ErrorKind
  readonly slug: ProblemSlug
  readonly publicDetail: string
  readonly errors: readonly Fault[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly members: Readonly<Record<string, unknown>>

  constructor(kind: ErrorKind, slug: ProblemSlug, publicDetail: string, options: AppErrorOptions = {}) {
    super(publicDetail, { cause: options.cause })
    this.kind = kind
    this.slug = slug
    this.publicDetail = publicDetail
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
    this.members = options.members ?? {}
  }
}
