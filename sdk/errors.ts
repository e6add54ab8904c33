/** The base of this library's errors. `type` is for programs and never changes; `message` says what to do. */
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

/** A field that another write has changed since: a JSON Pointer, and the author and time of that change if the audit log has them. */
export type ChangedField = { readonly pointer: string; readonly by?: string; readonly at?: string }

/** The problem of a refused request (RFC 9457). */
export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  readonly errors?: readonly ProblemFault[]
  /** Of `/problems/changed-since`: the changes that an undo would overwrite. */
  readonly changed?: readonly ChangedField[]
  readonly retryAfterSeconds?: number
  readonly requestId?: string
}

/** The server refused a request. `type` is that of the problem, such as `/problems/invalid-credentials` (docs/errors.md). */
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

/** No server answers at the address: it is wrong, the server is down, or its certificate is not trusted. */
export class UnreachableError extends GatehouseError {
  override readonly name = 'UnreachableError'
  readonly failure: Failure

  constructor(failure: Failure, message: string, options?: ErrorOptions) {
    super('unreachable', message, options)
    this.failure = failure
  }
}

/** The address belongs to something other than a Gatehouse server, or its answer is not one of Gatehouse. */
export class NotGatehouseError extends GatehouseError {
  override readonly name = 'NotGatehouseError'
  /** The HTTP status, if there is one: a proxy answers 502 while its server is down. */
  readonly status?: number

  constructor(message: string, options: ErrorOptions & { readonly status?: number } = {}) {
    super('not-gatehouse', message, options)
    if (options.status !== undefined) this.status = options.status
  }
}

/** The connection was lost before the answer. It is not known whether the request was done, and it is not sent again. */
export class ConnectionLostError extends GatehouseError {
  override readonly name = 'ConnectionLostError'

  constructor(message: string, options?: ErrorOptions) {
    super('connection-lost', message, options)
  }
}

/** The server refused a message. `type` is the code of its Error, such as `muted`. */
export class RefusedError extends GatehouseError {
  override readonly name = 'RefusedError'
}

/** The session has ended, or never began. `type` is the reason, as in the state `ended`. */
export class SessionEndedError extends GatehouseError {
  override readonly name = 'SessionEndedError'
}

/** A reader of `events` was too slow: the queue was full, and events were lost. */
export class EventsLostError extends GatehouseError {
  override readonly name = 'EventsLostError'

  constructor(limit: number) {
    super('events-lost', `More than ${limit} events waited to be read. Read them faster, or raise limit.`)
  }
}
