import type { ErrorReplyCode, KickCode, ModuleReplyCode } from './protocol/generated/gatehouse.ts'

/** The values known today. A newer server may send others. */
type Open<T extends string> = T | (string & Record<never, never>)

/** The base of all errors of this library. `code` is for programs and never changes; `message` says what to do. */
export class GatehouseError extends Error {
  override readonly name: string = 'GatehouseError'
  /** The same as `code`, except for a ProblemError: there it begins with `/problems/`. */
  readonly type: string
  readonly code: string

  constructor(type: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.type = type
    this.code = type.replace(/^\/problems\//, '')
  }
}

/** One fault of a request: a JSON Pointer into its body, or a line and column of a text or of a file. */
export type ProblemFault = {
  readonly message: string
  readonly pointer?: string
  readonly file?: string
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
  /** Other fields, which some problems have. */
  readonly [field: string]: unknown
}

/** The server refused a request. `code` is the name of the problem, such as `invalid-credentials` (docs/errors.md). */
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
  declare readonly code: 'unreachable'
  readonly failure: Failure

  constructor(failure: Failure, message: string, options?: ErrorOptions) {
    super('unreachable', message, options)
    this.failure = failure
  }
}

/** The address belongs to something other than a Gatehouse server, or its answer is not one of Gatehouse. */
export class NotGatehouseError extends GatehouseError {
  override readonly name = 'NotGatehouseError'
  declare readonly code: 'not-gatehouse'
  /** The HTTP status, if there is one: a proxy answers 502 while its server is down. */
  readonly status?: number

  constructor(message: string, options: ErrorOptions & { readonly status?: number } = {}) {
    super('not-gatehouse', message, options)
    if (options.status !== undefined) this.status = options.status
  }
}

/**
 * Why a request was not sent. `not-connected`: there is no connection at the moment. `queue-full`: too many requests wait.
 * The other codes mean that the server could not accept the request.
 */
export type NotSentCode = 'not-connected' | 'queue-full' | 'invalid-message' | 'too-many-edits' | 'message-too-large'

/** The request was not sent, so the server has not done it. It is safe to send it again. */
export class NotSentError extends GatehouseError {
  override readonly name = 'NotSentError'
  declare readonly code: NotSentCode
}

/** The connection was lost before the answer. It is not known whether the request was done, and it is not sent again. */
export class ConnectionLostError extends GatehouseError {
  override readonly name: string = 'ConnectionLostError'
  declare readonly code: 'connection-lost' | 'too-many-messages'

  constructor(message: string, code: ConnectionLostError['code'] = 'connection-lost') {
    super(code, message)
  }
}

/** The server closed the connection because it received too many messages in a short time. */
export class TooManyMessagesError extends ConnectionLostError {
  override readonly name = 'TooManyMessagesError'
  declare readonly code: 'too-many-messages'
}

/** Why the server refused a message of a session or of a feed. */
export type RefusedCode = Open<ErrorReplyCode | 'binary-frame' | 'message-too-large' | 'invalid-json' | 'too-many-edits'>

/** The server refused a message. `code` is the code of its Error, such as `muted`. */
export class RefusedError extends GatehouseError {
  override readonly name = 'RefusedError'
  declare readonly code: RefusedCode
}

/** A module, or the server for it, refused a message. `message` is the reason for people, and `code` that for programs. */
export class ModuleRefusedError extends GatehouseError {
  override readonly name = 'ModuleRefusedError'
  declare readonly code: Open<ModuleReplyCode>
  /** With code `invalid-message`: a JSON Pointer into the parameters. */
  readonly pointer?: string

  constructor(code: string, reason: string, pointer: string | undefined) {
    super(code, reason)
    if (pointer !== undefined) this.pointer = pointer
  }
}

/** Why a session or feed has ended: the code of a Kick, the name of a problem, or a reason of this library. */
export type SessionEndReason = Open<
  | KickCode
  | 'left'
  | 'aborted'
  | 'failed'
  | 'connection-lost'
  | 'connection-closed'
  | 'invalid-address'
  | 'not-gatehouse'
  | 'removed'
  | 'sign-in-closed'
  | 'sign-in-over'
  | 'api-token'
  | 'sign-in-refused'
  | 'unavailable'
  | 'unreachable'
  | 'zone-deleted'
>

/** The session or feed has ended, or never began. The request was not sent. `code` is the reason, as in the state `ended`. */
export class SessionEndedError extends GatehouseError {
  override readonly name = 'SessionEndedError'
  declare readonly code: SessionEndReason
}

/** A reader of `events` was too slow: the queue was full, and events were lost. */
export class EventsLostError extends GatehouseError {
  override readonly name = 'EventsLostError'
  declare readonly code: 'events-lost'

  constructor(limit: number) {
    super('events-lost', `More than ${limit} events waited to be read. Read them faster, or raise limit.`)
  }
}
