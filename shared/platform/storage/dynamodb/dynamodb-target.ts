import { isPlainLoopback } from '../../../kernel/loopback.ts'

/** Where the tables are. */
export type DynamoTarget = {
  /** Without a slash at the end; undefined: the region's own. */
  readonly endpoint: string | undefined
  readonly region: string
  /** Begins the names of all tables. */
  readonly tablePrefix: string
  /** How long a request may take with all its repetitions, in milliseconds; 1,800 when absent, which leaves time to answer within 2 s that it did not work. */
  readonly patienceMs?: number
}

/** Begins the names of all tables unless told otherwise. */
export const defaultTablePrefix = 'gatehouse-'

/**
 * Whether an endpoint is a stand-in for DynamoDB, as LocalStack is, which takes any credentials: only plain HTTP on this machine. AWS
 * answers on plain HTTP too, and who else does is not known.
 */
export const isStandIn = (endpoint: string | undefined): boolean => endpoint !== undefined && isPlainLoopback(new URL(endpoint))

/** What a stand-in is told when there is no region. */
export const standInRegion = 'us-east-1'
