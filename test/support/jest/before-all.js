import { shareDynamo } from '../dynamodb/share-dynamodb.js'
import { bundleThreadsForTests } from './thread-bundles.js'

/** What all suites of a run share. */
export default async function beforeAll(options) {
  await bundleThreadsForTests()
  await shareDynamo(options)
}
