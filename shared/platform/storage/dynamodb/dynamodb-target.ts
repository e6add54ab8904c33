import { isPlainLoopback } from '../../../kernel/loopback.ts'

/** The location of the tables. */
export type DynamoTarget = {
  /** Without a trailing slash; if undefined, that of the region. */
  readonly endpoint: string | undefined
  readonly region: string
  /** The prefix of all table names. */
  readonly tablePrefix: string
  /** The time limit of a request including retries, in milliseconds. The default, 1,800, allows an error response within 2 s. */
  readonly patienceMs?: number
}

/** The default prefix of all table names. */
export const defaultTablePrefix = 'gatehouse-'

/**
 * Whether an endpoint is a local stand-in for DynamoDB, such as LocalStack, which accepts any credentials. Only plain HTTP on this
 * machine counts, because AWS answers on plain HTTP, too.
 */
export const isStandIn = (endpoint: string | undefined): boolean => endpoint !== undefined && isPlainLoopback(new URL(endpoint))

/** The region for a stand-in if none is set. */
export const standInRegion = 'us-east-1'
