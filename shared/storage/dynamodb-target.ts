/** Where the tables are. */
export type DynamoTarget = {
  /** Without a slash at the end; undefined: the region's own. */
  readonly endpoint: string | undefined
  readonly region: string
  /** Begins the names of all tables. */
  readonly tablePrefix: string
}

/** Begins the names of all tables unless told otherwise. */
export const defaultTablePrefix = 'gatehouse-'

/** Whether an endpoint is a stand-in for DynamoDB, as LocalStack is, which takes any credentials: AWS itself is never on plain HTTP. */
export const isStandIn = (endpoint: string | undefined): boolean => endpoint?.startsWith('http://') ?? false

/** What a stand-in is told when there is no region. */
export const standInRegion = 'us-east-1'
