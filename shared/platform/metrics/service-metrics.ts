/** The measured operations by port. These are all label values. */
export const measuredOperations = {
  store: ['get', 'put', 'delete', 'list', 'commit'],
  chunks: ['get', 'getMany', 'putMany', 'getSide', 'listSide', 'has', 'hasMany', 'stats', 'setAside'],
  tokens: [
    'issue',
    'find',
    'revoke',
    'revokeSignIn',
    'revokeAccount',
    'endAccount',
    'revokedSince',
    'putOnce',
    'findOnce',
    'takeOnce',
    'ping',
  ],
} as const satisfies Record<string, readonly string[]>

export type MeasuredPort = keyof typeof measuredOperations
export type OperationOf<P extends MeasuredPort> = (typeof measuredOperations)[P][number]

/** The ways of getting a token. */
export const signInKinds = ['login', 'oauth', 'claim', 'renew'] as const
export type SignInKind = (typeof signInKinds)[number]

/**
 * The fates of events: sent, received by this process, lost because Redis is away, or dropped because they do not match their topic.
 */
export const eventFates = ['published', 'received', 'lost', 'dropped'] as const
export type EventFate = (typeof eventFates)[number]

/** The metrics of both halves. Times are in seconds. `fault` is the error of an operation; absent on success. */
export type ServiceMetrics = {
  observeOperation<P extends MeasuredPort>(port: P, operation: OperationOf<P>, seconds: number, fault?: unknown): void
  /** `command` is the name of a Redis command, never a key or a value. */
  observeRedisCommand(command: string, seconds: number, fault?: unknown): void
  countSignIn(kind: SignInKind, fault?: unknown): void
  /** `topic` is the name of a topic of the event bus. */
  countEvent(topic: string, fate: EventFate): void
  /** `waiting` is called at each scrape. */
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
