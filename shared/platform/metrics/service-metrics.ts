import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'

/** The measured operations by port. These are all label values. */
const measuredOperations = {
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

type MeasuredPort = keyof typeof measuredOperations
type OperationOf<P extends MeasuredPort> = (typeof measuredOperations)[P][number]

/** The ways of getting a token. */
const signInKinds = ['login', 'oauth', 'claim', 'renew'] as const
export type SignInKind = (typeof signInKinds)[number]

/**
 * The fates of events: sent, received by this process, lost because Redis is away, or dropped because they do not match their topic.
 */
const eventFates = ['published', 'received', 'lost', 'dropped'] as const
type EventFate = (typeof eventFates)[number]

/** The kinds of faults in metrics. */
const faultKinds = ['conflict', 'unavailable', 'refused', 'fault'] as const
type FaultKind = (typeof faultKinds)[number]

/** Conflicts and outages have their own kind. Other AppErrors are refusals, and any other error is a fault of the server. */
const faultKindOf = (fault: unknown): FaultKind => {
  if (!(fault instanceof AppError)) return 'fault'
  return fault.kind === 'conflict' || fault.kind === 'unavailable' ? fault.kind : 'refused'
}

const secondsBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

const outcomeOf = (fault: unknown): string => {
  if (fault === undefined) return 'ok'
  return fault instanceof AppError ? fault.slug : 'internal-error'
}

/**
 * The metrics of both halves. Counts into `registry` under names that start with `gatehouse_`. Label values are only our own names: operations, commands, topics
 * and slugs. Series that are known in advance start at 0, so that the first event shows as an increase.
 */
export const createServiceMetrics = (registry = new Registry(), topics: readonly string[] = []) => {
  const registers = [registry]
  const operations = new Histogram({
    name: 'gatehouse_storage_seconds',
    help: 'Duration of storage operations by port: `store` (records), `chunks` (columns of worlds), `tokens`. Includes faults.',
    labelNames: ['port', 'operation'],
    buckets: secondsBuckets,
    registers,
  })
  const operationFaults = new Counter({
    name: 'gatehouse_storage_faults_total',
    help: 'Failed storage operations by kind: `conflict` (precondition not met), `unavailable` (outage), `refused`, `fault` (of the server).',
    labelNames: ['port', 'operation', 'kind'],
    registers,
  })
  const commands = new Histogram({
    name: 'gatehouse_redis_seconds',
    help: 'Duration of Redis commands by name. Includes faults. Empty without Redis.',
    labelNames: ['command'],
    buckets: secondsBuckets,
    registers,
  })
  const commandFaults = new Counter({
    name: 'gatehouse_redis_faults_total',
    help: 'Redis commands without an answer or with an error.',
    labelNames: ['command'],
    registers,
  })
  const signIns = new Counter({
    name: 'gatehouse_sign_ins_total',
    help: 'Sign-ins and token renewals by outcome: `ok`, or the slug of the problem (docs/errors.md).',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const events = new Counter({
    name: 'gatehouse_events_total',
    help: 'Events between processes by topic and fate: `published`, `received`, `lost` (Redis was away), `dropped` (malformed).',
    labelNames: ['topic', 'fate'],
    registers,
  })
  let passwordsWaiting = (): number => 0
  new Gauge({
    name: 'gatehouse_passwords_waiting',
    help: 'Passwords that wait to be hashed.',
    registers,
    collect() {
      this.set(passwordsWaiting())
    },
  })

  for (const [port, names] of Object.entries(measuredOperations))
    for (const operation of names) {
      operations.zero({ port, operation })
      for (const kind of faultKinds) operationFaults.inc({ port, operation, kind }, 0)
    }
  for (const kind of signInKinds) signIns.inc({ kind, outcome: 'ok' }, 0)
  for (const topic of topics) for (const fate of eventFates) events.inc({ topic, fate }, 0)

  return {
    /** Times are in seconds. `fault` is the error of an operation; absent on success. */
    observeOperation: <P extends MeasuredPort>(port: P, operation: OperationOf<P>, seconds: number, fault?: unknown): void => {
      operations.observe({ port, operation }, seconds)
      if (fault !== undefined) operationFaults.inc({ port, operation, kind: faultKindOf(fault) })
    },
    /** `command` is the name of a Redis command, never a key or a value. */
    observeRedisCommand: (command: string, seconds: number, fault?: unknown): void => {
      commands.observe({ command }, seconds)
      commandFaults.inc({ command }, fault === undefined ? 0 : 1)
    },
    countSignIn: (kind: SignInKind, fault?: unknown): void => signIns.inc({ kind, outcome: outcomeOf(fault) }),
    countEvent: (topic: string, fate: EventFate): void => events.inc({ topic, fate }),
    /** `waiting` is called at each scrape. */
    watchPasswords: (waiting: () => number): void => {
      passwordsWaiting = waiting
    },
  }
}

export type ServiceMetrics = ReturnType<typeof createServiceMetrics>

/** A registry with Node's metrics of the process: memory, CPU, event loop delay, garbage collection. */
export const createMetricsRegistry = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

type MeasureDeps = {
  readonly metrics: Pick<ServiceMetrics, 'observeOperation'>
  readonly clock: Pick<Clock, 'monotonic'>
}

type Operation = (...args: never[]) => Promise<unknown>

/**
 * `adapter` with the duration and fault of each operation of `port` recorded. Its other members stay the same: the time of an iteration
 * depends on the consumer.
 */
export const measureOperations = <P extends MeasuredPort, A extends Record<OperationOf<P>, Operation>>(
  port: P,
  adapter: A,
  { metrics, clock }: MeasureDeps,
): A => {
  const measure = (operation: OperationOf<P>): Operation => {
    return async (...args) => {
      const startedMs = clock.monotonic()
      const record = (fault?: unknown): void =>
        metrics.observeOperation(port, operation, (clock.monotonic() - startedMs) / 1000, fault)
      try {
        const result = await adapter[operation](...args)
        record()
        return result
      } catch (fault) {
        record(fault)
        throw fault
      }
    }
  }
  const operations: readonly OperationOf<P>[] = measuredOperations[port]
  const measured: Record<string, Operation> = Object.fromEntries(operations.map((operation) => [operation, measure(operation)]))
  return { ...adapter, ...measured }
}
