import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { AppError } from '../../kernel/errors.ts'
import { eventFates, measuredOperations, type ServiceMetrics, signInKinds } from './service-metrics.ts'

/** What kinds of faults metrics tell apart. */
const faultKinds = ['conflict', 'unavailable', 'refused', 'fault'] as const
type FaultKind = (typeof faultKinds)[number]

/** A conflict and an outage are themselves, whatever else an AppError says is a refusal, and anything else is our fault. */
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
 * Counts into `registry` under names that begin with `gatehouse_`. Label values are names of our own: of operations, commands, topics and
 * slugs. What can be known in advance is there from the start with 0, so that the first of a kind is seen as a rise.
 */
export const createPrometheusServiceMetrics = (registry: Registry, topics: readonly string[]): ServiceMetrics => {
  const registers = [registry]
  const operations = new Histogram({
    name: 'gatehouse_storage_seconds',
    help: 'Time of an operation of a port: `store` (records), `chunks` (columns of worlds), `tokens`; faults included.',
    labelNames: ['port', 'operation'],
    buckets: secondsBuckets,
    registers,
  })
  const operationFaults = new Counter({
    name: 'gatehouse_storage_faults_total',
    help: 'Operations of a port that failed: `conflict` (a missed precondition), `unavailable` (an outage), `refused`, `fault` (ours).',
    labelNames: ['port', 'operation', 'kind'],
    registers,
  })
  const commands = new Histogram({
    name: 'gatehouse_redis_seconds',
    help: 'Time of a command of Redis, by its name; faults included. Nothing without Redis.',
    labelNames: ['command'],
    buckets: secondsBuckets,
    registers,
  })
  const commandFaults = new Counter({
    name: 'gatehouse_redis_faults_total',
    help: 'Commands that Redis did not answer, or answered with an error.',
    labelNames: ['command'],
    registers,
  })
  const signIns = new Counter({
    name: 'gatehouse_sign_ins_total',
    help: 'Ends of sign-ins and renewals of tokens: `ok`, or the slug of the refusal (docs/errors.md).',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const events = new Counter({
    name: 'gatehouse_events_total',
    help: 'Events between processes, by topic and what became of them: `published`, `received`, `lost` (Redis was away), `dropped` (malformed).',
    labelNames: ['topic', 'fate'],
    registers,
  })
  let passwordsWaiting = (): number => 0
  new Gauge({
    name: 'gatehouse_passwords_waiting',
    help: 'Passwords that wait for a thread to be hashed in.',
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
    observeOperation: (port, operation, seconds, fault) => {
      operations.observe({ port, operation }, seconds)
      if (fault !== undefined) operationFaults.inc({ port, operation, kind: faultKindOf(fault) })
    },
    observeRedisCommand: (command, seconds, fault) => {
      commands.observe({ command }, seconds)
      commandFaults.inc({ command }, fault === undefined ? 0 : 1)
    },
    countSignIn: (kind, fault) => signIns.inc({ kind, outcome: outcomeOf(fault) }),
    countEvent: (topic, fate) => events.inc({ topic, fate }),
    watchPasswords: (waiting) => {
      passwordsWaiting = waiting
    },
  }
}
