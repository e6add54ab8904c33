/** What this library throws of its own. `type` is for programs and never changes; `message` says what to do. */
export class GatehouseError extends Error {
  override readonly name: string = 'GatehouseError'
  readonly type: string

  constructor(type: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.type = type
  }
}

/** One fault of a request: a JSON Pointer into its body, or a line and column of a text. */
export type ProblemFault = {
  readonly message: string
  readonly pointer?: string
  readonly line?: number
  readonly column?: number
}

/** A field that another write changed since: a JSON Pointer, and who changed it when, where the audit log knows. */
export type ChangedField = { readonly pointer: string; readonly by?: string; readonly at?: string }

/** What the server said of a request that it refused (RFC 9457). */
export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  readonly errors?: readonly ProblemFault[]
  /** Of `/problems/changed-since`: what an undo would have overwritten. */
  readonly changed?: readonly ChangedField[]
  readonly retryAfterSeconds?: number
  readonly requestId?: string
}

/** The server refused a request. `type` is the problem's, such as `/problems/invalid-credentials` (docs/errors.md). */
export class ProblemError extends GatehouseError {
  override readonly name = 'ProblemError'
  readonly problem: Problem

  constructor(problem: Problem) {
    const again = problem.retryAfterSeconds === undefined ? '' : ` Try again in ${problem.retryAfterSeconds} s.`
    super(problem.type, `${problem.title}. ${problem.detail ?? ''}`.trim() + again)
    this.problem = problem
  }
}

/** Why no server was reached. */
export type Failure = 'refused' | 'unknown-host' | 'tls' | 'timeout' | 'network'

/** No server answers at the address: it is wrong, away, or its certificate is not trusted. */
export class UnreachableError extends GatehouseError {
  override readonly name = 'UnreachableError'
  readonly failure: Failure

  constructor(failure: Failure, message: string, options?: ErrorOptions) {
    super('unreachable', message, options)
    this.failure = failure
  }
}

/** What answers at the address is no Gatehouse server, or answers what no Gatehouse server would. */
export class NotGatehouseError extends GatehouseError {
  override readonly name = 'NotGatehouseError'
  /** Of the answer, where it was one of HTTP: a proxy answers 502 while its server is away. */
  readonly status?: number

  constructor(message: string, options: ErrorOptions & { readonly status?: number } = {}) {
    super('not-gatehouse', message, options)
    if (options.status !== undefined) this.status = options.status
  }
}

/** The connection was lost before the answer came: whether it was done is not known, and it is not sent again. */
export class ConnectionLostError extends GatehouseError {
  override readonly name = 'ConnectionLostError'

  constructor(message: string, options?: ErrorOptions) {
    super('connection-lost', message, options)
  }
}

/** The server would not take a message: `type` is the code of its Error, such as `muted`. */
export class RefusedError extends GatehouseError {
  override readonly name = 'RefusedError'
}

/** The session is over, or never began; `type` says why, as the reason of the state `ended` does. */
export class SessionEndedError extends GatehouseError {
  override readonly name = 'SessionEndedError'
}

/** Somebody who reads `events` was too slow: the queue was full, and events were lost. */
export class EventsLostError extends GatehouseError {
  override readonly name = 'EventsLostError'

  constructor(limit: number) {
    super('events-lost', `More than ${limit} events waited to be read. Read them faster, or raise limit.`)
  }
}
