/** The operations that are measured, by the port that has them: every label value there is. */
export const measuredOperations = {
  store: ['get', 'put', 'delete', 'list', 'commit'],
  chunks: ['get', 'getMany', 'putMany', 'getSide', 'listSide', 'has', 'hasMany', 'stats', 'setAside'],
  tokens: ['issue', 'find', 'revoke', 'revokeAccount', 'revokedSince', 'putOnce', 'findOnce', 'takeOnce', 'ping'],
} as const satisfies Record<string, readonly string[]>

export type MeasuredPort = keyof typeof measuredOperations
export type OperationOf<P extends MeasuredPort> = (typeof measuredOperations)[P][number]

/** The ways of coming to a token. */
export const signInKinds = ['login', 'oauth', 'claim', 'renew'] as const
export type SignInKind = (typeof signInKinds)[number]

/** What becomes of events: sent to everybody, received by this process, lost with Redis away, or dropped as they did not fit their topic. */
export const eventFates = ['published', 'received', 'lost', 'dropped'] as const
export type EventFate = (typeof eventFates)[number]

/** What both halves count. Times are in seconds; a fault is what an operation threw, absent where it went well. */
export type ServiceMetrics = {
  observeOperation<P extends MeasuredPort>(port: P, operation: OperationOf<P>, seconds: number, fault?: unknown): void
  /** `command` is the name of a command of Redis; never a key or a value. */
  observeRedisCommand(command: string, seconds: number, fault?: unknown): void
  countSignIn(kind: SignInKind, fault?: unknown): void
  /** `topic` is the name of a topic of the event bus. */
  countEvent(topic: string, fate: EventFate): void
  /** `waiting` is asked whenever somebody looks. */
  watchPasswords(waiting: () => number): void
}

/** Counts nothing. */
export const noServiceMetrics: ServiceMetrics = {
  observeOperation: () => {},
  observeRedisCommand: () => {},
  countSignIn: () => {},
  countEvent: () => {},
  watchPasswords: () => {},
}
