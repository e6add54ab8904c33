import { shareDynamo } from '../dynamodb/share-dynamodb.js'
import { makeEntriesAhead } from './made-ahead.js'
import { bundleThreadsForTests } from './thread-bundles.js'

export default async function beforeAll(options) {
  await bundleThreadsForTests()
  await Promise.all([shareDynamo(options), makeEntriesAhead(options)])
}
