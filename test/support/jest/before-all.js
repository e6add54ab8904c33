import { shareDynamo } from '../dynamodb/share-dynamodb.js'
import { makeEntriesAhead } from './made-ahead.js'
import { bundleThreadsForTests } from './thread-bundles.js'

/** What all suites of a run share. */
export default async function beforeAll(options) {
  await bundleThreadsForTests()
  await Promise.all([shareDynamo(options), makeEntriesAhead(options)])
}
