import { describeWhere, type Need } from '../needs/guard.ts'
import { expectGuarded } from '../needs/guarded.ts'
import { findFreePort } from '../processes/free-port.ts'
import { findDynamoLauncher, type LaunchedDynamo } from './dynamodb-launcher.ts'

export { createTestTarget, openDynamo } from './dynamodb-tables.ts'

/** The second variable is from share-dynamodb.js in a run of all suites. */
const sharedEndpoint = process.env.DYNAMODB_ENDPOINT || process.env.GATEHOUSE_TESTS_DYNAMODB || undefined
const launcher = await findDynamoLauncher()
const why = 'needs Docker, or Java on x64 for DynamoDB Local'

/** A DynamoDB to test with: `DYNAMODB_ENDPOINT`, LocalStack in Docker, or DynamoDB Local in Java. */
export const anyDynamo: Need = {
  reason: `${why}, or DYNAMODB_ENDPOINT`,
  isMet: sharedEndpoint !== undefined || launcher !== undefined,
  program: 'dynamodb',
}

/** A DynamoDB that a suite may kill, so not `DYNAMODB_ENDPOINT`. */
export const ownDynamo: Need = { reason: why, isMet: launcher !== undefined, program: 'dynamodb' }

export const describeDynamo = describeWhere(anyDynamo)
export const describeOwnDynamo = describeWhere(ownDynamo)

/** A DynamoDB for tests. */
export type DynamoServer = {
  readonly endpoint: string
  stop(): Promise<void>
}

/** Returns the shared DynamoDB of `DYNAMODB_ENDPOINT` or of a run of all suites, which must not be killed, else a new one. */
export const openDynamoForTests = async (): Promise<DynamoServer> => {
  expectGuarded('dynamodb', 'describeDynamo')
  if (sharedEndpoint !== undefined) return { endpoint: sharedEndpoint, stop: async () => undefined }
  const launched = await launcher?.launch()
  if (launched === undefined) throw new Error(`openDynamoForTests ${why}`)
  return { endpoint: launched.endpoint, stop: launched.kill }
}

/** Starts a DynamoDB that the test may kill and restart, empty, at the same address. */
export const startDynamo = async (): Promise<DynamoServer & { kill(): Promise<void>; restart(): Promise<void> }> => {
  expectGuarded('dynamodb', 'describeOwnDynamo')
  if (launcher === undefined) throw new Error(`startDynamo ${why}`)
  const port = await findFreePort()
  let launched: LaunchedDynamo = await launcher.launch(port)
  return {
    endpoint: launched.endpoint,
    kill: () => launched.kill(),
    restart: async () => {
      await launched.kill()
      launched = await launcher.launch(port)
    },
    stop: () => launched.kill(),
  }
}
